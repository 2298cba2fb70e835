/** The accessibility check of axe, in the page. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

// As text: the page's own policy lets no script of others in.
const SCRIPT = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Return the faults that axe finds by the rules of WCAG 2.2 AA and more, with the first place. */
export async function faults(page: Page, more: string[] = []): Promise<string[]> {
  await page.evaluate(SCRIPT);
  return page.evaluate(async (values) => {
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run({ runOnly: { type: "tag", values } });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
  }, [...WCAG, ...more]);
}

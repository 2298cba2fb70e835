/** The accessibility check of axe, in the page. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

// As text: the page's own policy lets no script of others in.
const SCRIPT = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** Return the faults that axe finds by the rules of WCAG 2.2 AA, each with the first place. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(SCRIPT);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await axe.run({ runOnly: { type: "tag", values: tags } });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
  });
}

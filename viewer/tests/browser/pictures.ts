/** Pictures of the page beside those that are kept; PICTURES=new keeps them anew. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

const FOLDER = new URL("pictures/", import.meta.url).pathname;
/** The share of pixels that may differ: fonts are drawn a little differently elsewhere. */
const TOLERANCE = 0.02;

export function likeThePicture(name: string, found: Buffer): void {
  const path = join(FOLDER, `${name}.png`);
  if (process.env["PICTURES"] === "new") {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, found);
    return;
  }
  const [wanted, is] = [PNG.sync.read(readFileSync(path)), PNG.sync.read(found)];
  if (wanted.width !== is.width || wanted.height !== is.height) {
    throw new Error(`${name}: ${is.width}x${is.height} instead of ${wanted.width}x${wanted.height}`);
  }
  const { width, height } = wanted;
  const differing = pixelmatch(wanted.data, is.data, undefined, width, height, { threshold: 0.2 });
  if (differing > TOLERANCE * width * height) {
    writeFileSync(join(FOLDER, `${name}.new.png`), found);
    throw new Error(`${name}: ${differing} pixels differ; see ${name}.new.png`);
  }
}

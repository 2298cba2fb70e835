// Writes beside the built page which sources it was made from; tests/test_viewer_build.py compares.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = new URL("..", import.meta.url).pathname;
const given = ["index.html", "package-lock.json", "package.json", "tsconfig.json", "vite.config.ts"];

function below(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? below(path) : [path];
  });
}

const hash = createHash("sha256");
for (const path of [...given, ...below("src")].sort()) {
  hash.update(`${path}\0`).update(readFileSync(join(root, path))).update("\0");
}
writeFileSync(join(root, "../python/multihop/viewing/app/sources.sha256"), `${hash.digest("hex")}\n`);

/** Reads what there is to show, and shows it; says what went wrong if nothing can be shown. */

import "uplot/dist/uPlot.min.css";
import "./page.css";
import { getManifest, type Manifest } from "./data/source";
import { loadTrace } from "./data/trace";
import { prepare, type Run } from "./model/run";
import { TraceView } from "./ui/app";

async function start(): Promise<void> {
  const status = document.getElementById("status") as HTMLElement;
  try {
    const manifest = await getManifest();
    status.replaceWith(manifest.templates ? await playground(manifest) : await replay(manifest, status));
    document.title = `${manifest.title} – multihop`;
  } catch (error) {
    status.textContent = error instanceof Error ? error.message : String(error);
    status.className = "failed";
  }
}

async function replay(manifest: Manifest, status: HTMLElement): Promise<HTMLElement> {
  const runs: Run[] = [];
  for (const [at, source] of manifest.runs.entries()) {
    const trace = await loadTrace(source, (share) => {
      const done = Math.round(((at + share) / manifest.runs.length) * 100);
      status.textContent = `Reading the trace: ${done} %`;
    });
    runs.push(prepare(trace));
  }
  if (runs.every(({ trace }) => trace.nodes.length === 0)) {
    throw new Error(["There is nothing to show.", ...runs.flatMap((run) => run.trace.troubles)].join(" "));
  }
  return Object.assign(new TraceView(), { manifest, runs });
}

/** Its code is a file of its own, which a replay does without. */
async function playground(manifest: Manifest): Promise<HTMLElement> {
  const { open } = await import("./play/pages");
  return open(manifest);
}

void start();

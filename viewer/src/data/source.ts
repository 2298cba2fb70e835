/** Where the page has its runs from: the server that it came from, or the page itself. */

import type { Book } from "../play/book";

/** A run that can be shown, as the server or an exported page describes it. */
export interface RunSource {
  /** What stands above its map. */
  readonly title: string;
  /** `run.json`, or null if the folder has none. */
  readonly run: unknown;
  /** The files of each table, in their order. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  /** What the folder lacks, found before anything was read. */
  readonly troubles: readonly string[];
}

/** A scenario to begin with. */
export interface Template {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** What the page is to show. */
export interface Manifest {
  readonly runs: readonly RunSource[];
  /** What stands above all runs. */
  readonly title: string;
  /** A paragraph of text beside the replay, if there is one. */
  readonly lesson?: string;
  /** Where to begin, as in the part of an address behind "#". */
  readonly view?: string;
  /** Where scenarios are made and run in the page: those to begin with. */
  readonly templates?: readonly Template[];
  /** Its lessons, and whether the page opens with them. */
  readonly lessons?: Book;
  readonly lessonsFirst?: boolean;
  /** Whether the page is to keep itself for times without a network. */
  readonly offline?: boolean;
}

const inPage = (id: string): HTMLElement | null => document.getElementById(id);

/** Get the manifest: from the page if it was exported, else from the server. */
export async function getManifest(): Promise<Manifest> {
  const own = inPage("manifest");
  if (own) return JSON.parse(own.textContent ?? "") as Manifest;
  const answer = await fetch("manifest.json");
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  return (await answer.json()) as Manifest;
}

/** Files that were made in this page. */
const made = new Map<string, Uint8Array<ArrayBuffer>>();

/** Keep a file that was made in this page until it is read. */
export function holdFile(path: string, bytes: Uint8Array<ArrayBuffer>): void {
  made.set(path, bytes);
}

/** Get a file of a table. */
export async function getFile(path: string): Promise<ArrayBuffer> {
  const mine = made.get(path);
  if (mine) {
    made.delete(path);
    return mine.buffer;
  }
  const own = inPage(path);
  if (own) return fromBase64(own.textContent ?? "");
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: the server answered ${answer.status}.`);
  return answer.arrayBuffer();
}

function fromBase64(text: string): ArrayBuffer {
  const bytes = atob(text.trim());
  const into = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) into[i] = bytes.charCodeAt(i);
  return into.buffer;
}

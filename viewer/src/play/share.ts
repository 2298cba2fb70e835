/** A scenario in the part of an address behind "#", which never leaves the browser. */

/** What is shared: the text of the scenario, and the schemes that its own is compared with. */
export interface Shared {
  readonly text: string;
  readonly beside: readonly string[];
}

/** A longer text is none of ours. */
const MOST_CHARACTERS = 1_000_000;

async function through(bytes: Uint8Array<ArrayBuffer>, way: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  const pair = way as unknown as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;
  const stream = new Blob([bytes]).stream().pipeThrough(pair);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > 4 * MOST_CHARACTERS) throw new Error("too long");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Write it as letters that an address may have. */
export async function pack({ text, beside }: Shared): Promise<string> {
  const bytes = await through(
    new TextEncoder().encode(JSON.stringify({ text, beside })), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Read it again; null for whatever is not a scenario. */
export async function unpack(letters: string): Promise<Shared | null> {
  try {
    const binary = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const found: unknown = JSON.parse(new TextDecoder().decode(
      await through(bytes, new DecompressionStream("deflate-raw"))));
    const { text, beside } = found as Partial<Shared>;
    if (typeof text !== "string" || text.length > MOST_CHARACTERS) return null;
    const schemes = Array.isArray(beside) ? beside.filter((scheme) => typeof scheme === "string") : [];
    return { text, beside: schemes };
  } catch {
    return null;
  }
}

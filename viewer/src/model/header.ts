/** The headers of a packet, from its bytes: IPv4, and what follows by the layouts that the trace brings. */

export interface Field {
  readonly name: string;
  readonly value: string;
}

export interface Header {
  readonly name: string;
  readonly fields: readonly Field[];
}

/** How a header looks, or a message of routing, which its first byte tells from others of its number. */
export interface Layout {
  readonly number: number;
  readonly message: number | null;
  readonly title: string;
  readonly fields: readonly {
    readonly name: string;
    readonly bits: number;
    readonly holds: "number" | "signed" | "address" | "zero" | "word";
    readonly words: readonly (readonly [number, string])[];
  }[];
}

const u16 = (bytes: Uint8Array, at: number): number => bytes[at] * 256 + bytes[at + 1];
const address = (bytes: Uint8Array, at: number): string => bytes.subarray(at, at + 4).join(".");
const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
const field = (name: string, value: string | number): Field => ({ name, value: String(value) });

/** Headers with these numbers say how long they are and what follows; others are the last. */
const [FIRST, PAYLOADS] = [152, 248];
/** What other numbers stand for, where no layout says it. */
const LAST: Record<number, string> = { 138: "message of routing", 253: "data", 254: "ARP" };

const IPV4 = 0x45;
const IPV4_BYTES = 20;

/** Read `count` bits as a number. */
function bits(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) value = value * 2 + ((bytes[at >> 3] >> (7 - (at & 7))) & 1);
  return value;
}

/** Read the fields that are there. */
function read(layout: Layout, body: Uint8Array): Field[] {
  const found: Field[] = [];
  let at = 0;
  for (const { name, bits: count, holds, words } of layout.fields) {
    if (at + count > body.length * 8) break;
    const value = bits(body, at, count);
    const negative = holds === "signed" && value >= 2 ** (count - 1);
    const told = holds === "address" ? address(body, at >> 3)
      : holds === "word" ? words.find(([number]) => number === value)?.[1] ?? value
      : negative ? value - 2 ** count : value;
    if (name) found.push(field(name.replaceAll("_", " "), told));
    at += count;
  }
  return found;
}

/** Read the headers; what is not known is shown as bytes. */
export function decode(bytes: Uint8Array, layouts: readonly Layout[]): Header[] {
  if (bytes.length === 0) return [];
  if (bytes.length < IPV4_BYTES || bytes[0] !== IPV4) {
    return [{ name: "bytes", fields: [field("", hex(bytes))] }];
  }
  const found: Header[] = [{
    name: "IPv4",
    fields: [
      field("source", address(bytes, 12)),
      field("destination", address(bytes, 16)),
      field("length", `${u16(bytes, 2)} B`),
      field("identification", u16(bytes, 4)),
      field("time to live", bytes[8]),
      field("congestion bits", (bytes[1] & 3).toString(2).padStart(2, "0")),
    ],
  }];
  const of = (number: number, message: number | null): Layout | undefined =>
    layouts.find((one) => one.number === number && (one.message ?? null) === message);
  let [next, at] = [bytes[9], IPV4_BYTES];
  while (next >= FIRST && next < PAYLOADS && at + 2 <= bytes.length) {
    const length = bytes[at + 1];
    if (length < 2 || at + length > bytes.length) break;
    const own = bytes.subarray(at, at + length);
    const known = of(next, null);
    const fields = known ? read(known, own.subarray(2)) : [];
    found.push({ name: known?.title ?? `header ${next}`, fields: [...fields, field(`${length} B`, hex(own))] });
    [next, at] = [own[0], at + length];
  }
  const rest = bytes.subarray(at);
  const known = rest.length > 0 ? of(next, rest[0]) ?? of(next, null) : undefined;
  const last = next < FIRST || next >= PAYLOADS;
  const fields = known && last ? read(known, rest) : [];
  const shown = rest.length > 0 ? [field(fields.length > 0 ? `${rest.length} B` : "", hex(rest))] : [];
  const name = (last ? known?.title : undefined) ?? LAST[next] ?? `header ${next}`;
  return [...found, { name, fields: [...fields, ...shown] }];
}

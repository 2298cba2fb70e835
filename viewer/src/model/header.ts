/** The headers of a packet, from its bytes: IPv4, and a stack of headers that say what follows. */

export interface Field {
  readonly name: string;
  readonly value: string;
}

export interface Header {
  readonly name: string;
  readonly fields: readonly Field[];
}

type Decoder = (bytes: Uint8Array) => Field[];

const u16 = (bytes: Uint8Array, at: number): number => bytes[at] * 256 + bytes[at + 1];
const u32 = (bytes: Uint8Array, at: number): number => u16(bytes, at) * 65536 + u16(bytes, at + 2);
const address = (bytes: Uint8Array, at: number): string => bytes.subarray(at, at + 4).join(".");
const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
const field = (name: string, value: string | number): Field => ({ name, value: String(value) });

/** CXCC: the kind in two bits, the payload's length in fourteen. */
const cxcc: Decoder = (bytes) => [
  field("kind", ["data", "request for acknowledgment", "acknowledgment",
    "negative acknowledgment"][bytes[2] >> 6]),
  field("payload", `${u16(bytes, 2) & 0x3fff} B`),
  field("sequence number", u32(bytes, 4)),
];

/** TCP in whole segments: the flags in four bits. */
const tcp: Decoder = (bytes) => {
  const flags = ["SYN", "ACK", "ECE", "CWR"].filter((_, bit) => bytes[2] & (16 << bit));
  return [field("flags", flags.join(" ") || "none"), field("segment", u32(bytes, 3))];
};

/** HxH 3.1, figure 3.1. */
const hxh: Decoder = (bytes) => [
  field("kind", ["", "data", "acknowledgment", "negative acknowledgment", "datagram"][bytes[2]]
    ?? bytes[2]),
  field("buffer value", u16(bytes, 4)),
  field("acknowledgment value", u32(bytes, 8)),
  field("sequence number", u32(bytes, 12)),
];

/** What a number in "what follows" stands for, how long it is at least, and how it is read. */
export const HEADERS: Record<number, { name: string; least?: number; read?: Decoder }> = {
  152: { name: "DSR" },
  176: { name: "CXCC", least: 8, read: cxcc },
  177: { name: "HXH", least: 20, read: hxh },
  200: { name: "ATP_PATH" },
  201: { name: "XCP_PATH" },
  224: { name: "TCP", least: 7, read: tcp },
  225: { name: "ATP" },
  226: { name: "UDP_ACK" },
};

/** No header follows, but one of these. */
const LAST: Record<number, string> = { 138: "message of routing", 253: "data", 254: "ARP" };

const IPV4 = 0x45;
const IPV4_BYTES = 20;

/** Read the headers; what is not known is shown as bytes. */
export function decode(bytes: Uint8Array): Header[] {
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
  let [next, at] = [bytes[9], IPV4_BYTES];
  while (!(next in LAST) && at + 2 <= bytes.length) {
    const length = bytes[at + 1];
    if (length < 2 || at + length > bytes.length) break;
    const own = bytes.subarray(at, at + length);
    const known = HEADERS[next];
    const fields = known?.read && length >= (known.least ?? 0) ? known.read(own) : [];
    const name = (known?.name ?? `header ${next}`).replace("_", " ");
    found.push({ name, fields: [...fields, field(`${length} B`, hex(own))] });
    [next, at] = [own[0], at + length];
  }
  const rest = at < bytes.length ? [field("", hex(bytes.subarray(at)))] : [];
  return [...found, { name: LAST[next] ?? `header ${next}`, fields: rest }];
}

/** What stands in a trace, in words for people. */

/** What stands before the cause of a packet that its source had no room for. */
export const REFUSAL = "refused: ";

/** Causes of a relay that a node gave up because it heard others pass the packet on. */
export const HELD_BACK = ["relay_cancelled", "relay_needless", "suppressed"];

const CLASSES: Record<string, string> = {
  data: "data", transport_ack: "transport acknowledgment", rfa: "request for acknowledgment",
  ack: "acknowledgment", nack: "negative acknowledgment", control: "control",
  rreq: "route request", rrep: "route reply", rerr: "route error", routing: "routing",
  arp: "address resolution", rts: "request to send", cts: "clear to send",
  link_ack: "link acknowledgment", block_ack: "block acknowledgment",
  block_ack_request: "block acknowledgment request",
};

const CAUSES: Record<string, string> = {
  decoded: "received", overheard: "overheard",
  collision: "collision", capture_lost: "lost to a stronger frame", bit_error: "bit error",
  too_weak: "too weak to read", undelivered: "not delivered by the link",
  transmitting: "was sending itself",
  source_buffer_full: "source buffer full", queue_full: "queue full",
  retries_spent: "retries spent", no_route: "no route", route_broken: "route broken",
  route_buffer_full: "route buffer full", unknown_flow: "unknown flow",
  too_many_flows: "too many flows", flow_closed: "flow closed",
  destination_buffer_full: "destination buffer full", ttl_expired: "time to live ran out",
  address_unknown: "address unknown", duplicate: "duplicate", malformed: "malformed",
  restarted: "node restarted", suppressed: "relay held back", relay_cancelled: "relay given up",
  relay_needless: "relay not needed", channel_busy: "channel used too much",
};

const TIMERS: Record<string, string> = { transport: "transport’s", hop: "hop protocol’s", routing: "routing’s" };

const plain = (word: string): string => word.replaceAll("_", " ");

export const classWords = (word: string): string => CLASSES[word] ?? plain(word);
export function causeWords(word: string): string {
  const [cause, refused] = [word.replace(REFUSAL, ""), word.startsWith(REFUSAL)];
  return `${refused ? REFUSAL : ""}${CAUSES[cause] ?? plain(cause)}`;
}
export const eventWords = plain;
export const timerWords = (word: string): string => TIMERS[word] ?? plain(word);

/** Seconds with as many digits as a frame needs: 12.345 678. */
export function clockWords(time_ns: number): string {
  const [whole, part] = (Math.max(0, time_ns) / 1e9).toFixed(6).split(".");
  return `${whole}.${part.slice(0, 3)}\u2009${part.slice(3)}`;
}

export const SPEEDS = [1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000, 1e4] as const;

/** A span of seconds or more, in the largest unit of which it has one: "16.7 min". */
export function spanWords(ns: number): string {
  const [size, unit] = ([[3600e9, "h"], [60e9, "min"], [1e9, "s"]] as const).find(([least]) => ns >= least) ?? [1e9, "s"];
  return `${Number((ns / size).toPrecision(3))} ${unit}`;
}

/** "1/100 of real time" as "1/100 ×". */
export function speedWords(speed: number): string {
  return speed >= 1 ? `${speed.toLocaleString("en")}×` : `1/${Math.round(1 / speed)}×`;
}

export function bitRateWords(bit_s: number): string {
  if (!Number.isFinite(bit_s)) return "–";
  return bit_s >= 1e6 ? `${(bit_s / 1e6).toFixed(2)} Mbit/s` : `${(bit_s / 1e3).toFixed(1)} kbit/s`;
}

export function durationWords(ns: number): string {
  if (!Number.isFinite(ns)) return "–";
  if (ns >= 1e9) return `${(ns / 1e9).toFixed(3)} s`;
  return ns >= 1e6 ? `${(ns / 1e6).toFixed(3)} ms` : `${(ns / 1e3).toFixed(1)} µs`;
}

/** The tables of a trace folder, and what the page reads of each. */

/** What `run.json` of this version of the folder says. */
export const FORMAT = 4;

/** How a column is kept: a time in ns, a whole number, a measured value, or a word of a short list. */
export type Kind = "time" | "whole" | "value" | "word";

export const SCHEMA = {
  frames: {
    frame: "time", start_ns: "time", length_ns: "time", sender: "whole", receiver: "whole",
    class: "word", flow: "whole", packet: "whole", bytes: "whole", rate_bit_s: "value", reserved_ns: "time",
  },
  mpdus: {
    frame: "time", class: "word", flow: "whole", packet: "whole", bytes: "whole", sequence: "whole",
  },
  receptions: { frame: "time", node: "whole", end_ns: "time", outcome: "word", other: "time" },
  drops: { time_ns: "time", node: "whole", flow: "whole", packet: "whole", cause: "word" },
  queues: { time_ns: "time", node: "whole", flow: "whole", length: "whole" },
  timers: { time_ns: "time", node: "whole", timer: "word", due_ns: "time" },
  routes: { time_ns: "time", node: "whole", destination: "whole", next: "whole" },
  positions: { time_ns: "time", node: "whole", x_m: "value", y_m: "value" },
  series: {
    time_ns: "time", node: "whole", flow: "whole", goodput_bit_s: "value",
    network_delay_s: "value", end_to_end_delay_s: "value", window: "value",
    rate_bit_s: "value", air_sending: "value", air_receiving: "value", air_busy: "value",
  },
  events: {
    time_ns: "time", node: "whole", event: "word", flow: "whole", packet: "whole", value: "value",
    cause: "word",
  },
} as const satisfies Record<string, Record<string, Kind>>;

/** Tables of which traces of this format may lack these columns, or all; what they would say is left out. */
export const OPTIONAL: Partial<Record<keyof typeof SCHEMA, readonly string[] | "all">> = {
  frames: ["rate_bit_s"], mpdus: "all",
};

export type TableName = keyof typeof SCHEMA;

/** What is missed most where a table is not there; said to the reader. */
export const WITHOUT: Record<TableName, string> = {
  frames: "no frames are drawn",
  mpdus: "it is not said which packets a frame of several carries",
  receptions: "neither overhearing nor losses on the air are drawn",
  drops: "packets that were given up are not drawn",
  queues: "queues are not drawn",
  timers: "it is not said when protocols want to be woken",
  routes: "routes are not drawn",
  positions: "nodes stand where the run began",
  series: "there are no charts",
  events: "what the nodes did beside sending is not listed",
};

/** A column of words: numbers into a list of the words that occur. */
export interface Words {
  readonly codes: Uint8Array;
  readonly words: string[];
}

type Column<K extends Kind> = K extends "word" ? Words
  : K extends "whole" ? Int32Array
  : Float64Array;

/** The columns of a table, all as long as `rows`. */
export type Table<T extends TableName> = {
  readonly [C in keyof (typeof SCHEMA)[T]]: Column<(typeof SCHEMA)[T][C] & Kind>;
} & { readonly rows: number };

export type Tables = { [T in TableName]: Table<T> };

/** Reads Parquet files into typed arrays: a column is one array, a row is no object. */

import { parquetMetadataAsync, parquetRead } from "hyparquet";
import { OPTIONAL, SCHEMA, type Kind, type Table, type TableName, type Words } from "./schema";

type Cells = ArrayLike<unknown>;

/** More different words than a byte can name become this one. */
const OTHER = "other";
const MOST_WORDS = 255;

/** A column that is being filled. */
interface Filling {
  put(row: number, cells: Cells, from: number, count: number): void;
  done(): Words | Int32Array | Float64Array;
}

function numbers(kind: Kind, rows: number): Filling {
  const into = kind === "whole" ? new Int32Array(rows).fill(-1)
    : new Float64Array(rows).fill(kind === "value" ? Number.NaN : -1);
  return {
    put(row, cells, from, count) {
      for (let i = 0; i < count; i++) {
        const cell = cells[from + i];
        if (cell !== null && cell !== undefined) into[row + i] = Number(cell);
      }
    },
    done: () => into,
  };
}

function words(rows: number): Filling {
  const codes = new Uint8Array(rows);
  const found = [""];
  const known = new Map<unknown, number>([["", 0]]);
  const code = (cell: unknown): number => {
    const word = cell === null || cell === undefined ? "" : String(cell);
    const seen = known.get(word);
    if (seen !== undefined) return seen;
    if (found.length >= MOST_WORDS) {
      found[MOST_WORDS] = OTHER;
      return MOST_WORDS;
    }
    known.set(word, found.length);
    return found.push(word) - 1;
  };
  return {
    put(row, cells, from, count) {
      let last: unknown = Symbol();
      let last_code = 0;
      for (let i = 0; i < count; i++) {
        const cell = cells[from + i];
        if (cell !== last) [last, last_code] = [cell, code(cell)];
        codes[row + i] = last_code;
      }
    },
    done: () => ({ codes, words: found }),
  };
}

/** What came of reading a table; `troubles` are sentences for the reader. */
export interface Read<T extends TableName> {
  table: Table<T>;
  troubles: string[];
}

/** Give the page a moment to draw. */
const breathe = (): Promise<void> => new Promise((done) => setTimeout(done));

/** Read a table from its files, in their order. A file that is cut off is left out, and said. */
export async function readTable<T extends TableName>(
  name: T,
  files: ArrayBuffer[],
): Promise<Read<T>> {
  const troubles: string[] = [];
  const whole = [];
  for (const file of files) {
    try {
      whole.push({ file, metadata: await parquetMetadataAsync(file) });
    } catch {
      troubles.push(
        files.length > 1
          ? `A part of ${name} is cut off and left out: the run was stopped while it was written.`
          : `The table ${name} is cut off and cannot be read.`,
      );
    }
  }
  const rows = whole.reduce((sum, { metadata }) => sum + Number(metadata.num_rows), 0);
  const schema: Record<string, Kind> = SCHEMA[name];
  const filling = Object.fromEntries(
    Object.entries(schema).map(([column, kind]) =>
      [column, kind === "word" ? words(rows) : numbers(kind, rows)]),
  );
  const missing = new Set<string>();
  let before = 0;
  for (const { file, metadata } of whole) {
    const there = new Set(metadata.schema.map((column) => column.name));
    for (const column of Object.keys(schema)) {
      if (!there.has(column)) {
        missing.add(column);
        continue;
      }
      await parquetRead({
        file,
        metadata,
        columns: [column],
        onChunk: ({ columnData, rowStart, rowEnd }) =>
          filling[column].put(before + rowStart, columnData, 0, rowEnd - rowStart),
      });
      await breathe();
    }
    before += Number(metadata.num_rows);
  }
  const optional = OPTIONAL[name] ?? [];
  if (optional !== "all") for (const column of optional) missing.delete(column);
  if (missing.size > 0) {
    troubles.push(`The table ${name} has no column ${[...missing].join(", ")}.`);
  }
  const columns = Object.fromEntries(
    Object.entries(filling).map(([column, filled]) => [column, filled.done()]),
  );
  return { table: { rows, ...columns } as unknown as Table<T>, troubles };
}

/** Read one cell of bytes, such as a frame's header, which is not kept for all rows. */
export async function readCell(
  files: ArrayBuffer[],
  column: string,
  row: number,
): Promise<Uint8Array> {
  let cell: Uint8Array = new Uint8Array();
  let before = 0;
  for (const file of files) {
    const metadata = await parquetMetadataAsync(file);
    const rows = Number(metadata.num_rows);
    if (row < before + rows) {
      if (!metadata.schema.some((one) => one.name === column)) break;
      await parquetRead({
        file,
        metadata,
        columns: [column],
        rowStart: row - before,
        rowEnd: row - before + 1,
        utf8: false,
        onComplete: (found) => {
          if (found[0]?.[0] instanceof Uint8Array) cell = found[0][0];
        },
      });
      break;
    }
    before += rows;
  }
  return cell;
}

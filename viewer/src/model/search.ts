/** Finding rows by time, in logarithmic time, without an object for any row. */

/** Return how many of the sorted `values` from `begin` to `end` are at most `limit`. */
export function upTo(
  values: ArrayLike<number>, limit: number, begin = 0, end = values.length,
): number {
  let [low, high] = [begin, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rows in groups: those of group g stand in `rows` from `first[g]` to `first[g + 1]`. */
export interface Groups {
  readonly first: Uint32Array;
  readonly rows: Uint32Array;
}

/** Sort rows into groups by counting; within a group they keep their order. */
export function group(count: number, keys: ArrayLike<number>): Groups {
  const first = new Uint32Array(count + 1);
  const inside = (key: number): boolean => key >= 0 && key < count;
  for (let i = 0; i < keys.length; i++) if (inside(keys[i])) first[keys[i] + 1]++;
  for (let g = 0; g < count; g++) first[g + 1] += first[g];
  const next = first.slice(0, count);
  const rows = new Uint32Array(first[count]);
  for (let i = 0; i < keys.length; i++) if (inside(keys[i])) rows[next[keys[i]]++] = i;
  return { first, rows };
}

/** Return the last row of a group whose time is at most `limit`, or -1. */
export function lastUpTo(
  groups: Groups, at: number, times: ArrayLike<number>, limit: number,
): number {
  const begin = groups.first[at];
  let [low, high] = [begin, groups.first[at + 1]];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[groups.rows[middle]] <= limit) low = middle + 1;
    else high = middle;
  }
  return low > begin ? groups.rows[low - 1] : -1;
}

/** Return where `value` stands in sorted `values`, or -1. */
export function find(values: ArrayLike<number>, value: number): number {
  const at = upTo(values, value) - 1;
  return at >= 0 && values[at] === value ? at : -1;
}

/** A mean and how far it may be off. */

export interface Mean {
  readonly mean: number;
  /** Half the 95 % confidence interval of the mean; NaN for fewer than two values. */
  readonly half: number;
  readonly count: number;
}

/** The 97.5 % quantiles of Student's t for 1 to 4 degrees of freedom; the series below fits from 5 on. */
const FEW = [12.7062, 4.3027, 3.1824, 2.7764];
const NORMAL = 1.959964;

/** The 97.5 % quantile of Student's t (Abramowitz and Stegun 26.7.5). */
export function student(freedom: number): number {
  if (freedom <= FEW.length) return FEW[freedom - 1] ?? Number.NaN;
  const z = NORMAL;
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)
    + (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3);
}

export function meanOf(given: readonly number[]): Mean {
  const values = given.filter(Number.isFinite);
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = count < 2 ? Number.NaN : student(count - 1) * Math.sqrt(squares / (count - 1) / count);
  return { mean, half, count };
}

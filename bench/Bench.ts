/** One measured figure, and the best that this machine can reach in the same run. */
export interface Row {
  readonly subject: string
  readonly unit: string
  readonly value: number
  readonly limit: number
  /** `value / limit`, for a figure where more is better; 1.00 is the limit itself. */
  readonly ratio: number
  /** The ratio that must be reached. */
  readonly target: number
}

/** A bench: measures and returns its rows; it starts what it needs and ends what it started. */
export interface Bench {
  readonly name: string
  readonly run: () => Promise<ReadonlyArray<Row>>
}

/** The middle of an odd number of rounds. */
export const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** The value at a share of the sorted values, 0.99 for p99. */
export const percentile = (values: ReadonlyArray<number>, share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

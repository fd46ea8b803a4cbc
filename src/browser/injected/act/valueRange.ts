/** The numbers that a slider accepts, and what it holds now. */
export interface ValueRange {
  readonly min: number;
  readonly max: number;
  readonly held: string;
}

/** An invariant that a run violated. */
export interface Violation {
  /** such as INV-4; "process" where an error ended one */
  readonly invariant: string;
  readonly words: string;
  /** virtual milliseconds since the beginning; absent where the end of the run shows it */
  readonly atMs?: number;
}

/** An invariant that a run violated. */
export interface Violation {
  /** such as INV-4 */
  readonly invariant: string;
  readonly words: string;
}

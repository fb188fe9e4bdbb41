/** A clock: the system's in a process, a fixed one in a test, a virtual one in a simulator. */
export interface LedgerClock {
  /** milliseconds since 1970 */
  now(): number;
  /** Runs a function repeatedly. @returns a function that stops it */
  every(ms: number, run: () => void): () => void;
  /** Runs a function once. @returns a function that cancels it */
  after(ms: number, run: () => void): () => void;
}

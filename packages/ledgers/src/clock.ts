/** Time, handed in: the system's in a process, one that stands still in a test, a virtual one in a simulator. */
export interface LedgerClock {
  /** milliseconds since 1970 */
  now(): number;
  /** Runs something again and again. @returns what ends it */
  every(ms: number, run: () => void): () => void;
  /** Runs something once. @returns what prevents it */
  after(ms: number, run: () => void): () => void;
}

/** A transaction, as its locks see it. */
export interface LockHolder {
  /** rows that it has locked */
  readonly locked: { unlock(holder: LockHolder): void }[];
  /** those for which it waits */
  readonly waitsFor: readonly LockHolder[];
  /** Calls back when it has ended; at once if it has. */
  onEnd(ended: () => void): void;
}

/** Thrown in a statement that has to wait: it is undone, and run anew once one of the holders has ended. */
export class LockWait extends Error {
  readonly holders: readonly LockHolder[];

  constructor(holders: readonly LockHolder[]) {
    super("the statement waits for a lock");
    this.holders = holders;
  }
}

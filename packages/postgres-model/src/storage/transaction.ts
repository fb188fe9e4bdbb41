import type { AdvisoryLocks } from "./advisory-locks.ts";
import type { LockHolder } from "./holder.ts";
import type { SqlTable } from "./table.ts";
import type { Tuple, TupleVersion } from "./tuple.ts";

/** A check that is made when the transaction commits, such as of a deferred foreign key. */
export type DeferredCheck = (transaction: ModelTransaction) => void;

/** Where a statement of a transaction began, so that all that it did can be undone. */
export interface Savepoint {
  readonly written: number;
  readonly notices: number;
  readonly deferred: number;
}

/** A transaction: its changes, locks and announcements until it ends. */
export class ModelTransaction implements LockHolder {
  /** when it began, microseconds since 1970: what `now()` gives */
  readonly startedAt: number;
  readonly locked: Tuple[] = [];
  /** the number of the newest command */
  command = 0;
  isOver = false;
  /** a statement failed: the transaction can only be rolled back */
  hasFailed = false;
  /** transactions that a statement of this one waits for */
  waitsFor: readonly LockHolder[] = [];
  readonly #written: { readonly table: SqlTable; readonly version: TupleVersion }[] = [];
  readonly #notices: string[] = [];
  readonly #deferred: DeferredCheck[] = [];
  readonly #ended: (() => void)[] = [];
  readonly #freshXid: () => number;
  readonly #locks: AdvisoryLocks;
  #xid: number | undefined;

  constructor(startedAt: number, freshXid: () => number, locks: AdvisoryLocks) {
    this.startedAt = startedAt;
    this.#freshXid = freshXid;
    this.#locks = locks;
  }

  /** The transaction's id. A transaction gets one when it first writes or asks for it. */
  get xid(): number {
    this.#xid ??= this.#freshXid();
    return this.#xid;
  }

  write(table: SqlTable, tuple: Tuple, version: Omit<TupleVersion, "tuple" | "xid">): TupleVersion {
    tuple.writer = this;
    const written: TupleVersion = { ...version, tuple, xid: this.xid };
    tuple.pending.push(written);
    table.index(written);
    this.#written.push({ table, version: written });
    return written;
  }

  announce(channel: string): void {
    if (!this.#notices.includes(channel)) this.#notices.push(channel);
  }

  defer(check: DeferredCheck): void {
    this.#deferred.push(check);
  }

  savepoint(): Savepoint {
    return {
      written: this.#written.length,
      notices: this.#notices.length,
      deferred: this.#deferred.length,
    };
  }

  /** Undoes what was done since; locks stay. */
  undo(to: Savepoint): void {
    for (const { table, version } of this.#written.splice(to.written).reverse()) {
      const { tuple } = version;
      tuple.pending.pop();
      if (tuple.pending.length === 0) tuple.writer = undefined;
      table.unindex(version);
    }
    this.#notices.length = to.notices;
    this.#deferred.length = to.deferred;
  }

  /**
   * Makes the deferred checks, and has the changes seen by all.
   * @returns the channels that are notified
   * @throws LockWait where a check has to wait; nothing is committed then
   */
  commit(): readonly string[] {
    for (const check of this.#deferred) check(this);
    for (const { table, version } of this.#written) {
      const { tuple } = version;
      if (tuple.pending.at(-1) === version) {
        const replaced = tuple.committed;
        tuple.committed = version.isDeletion ? undefined : version;
        const old = tuple.pending.splice(0, tuple.pending.length).filter((other) => other !== version);
        tuple.writer = undefined;
        for (const other of replaced === undefined ? old : [replaced, ...old]) table.unindex(other);
        if (version.isDeletion) table.unindex(version);
      }
    }
    this.#end();
    return this.#notices;
  }

  rollback(): void {
    this.undo({ written: 0, notices: 0, deferred: 0 });
    this.#end();
  }

  /** Calls back when the transaction has ended; at once if it has. */
  onEnd(ended: () => void): void {
    if (this.isOver) ended();
    else this.#ended.push(ended);
  }

  #end(): void {
    this.isOver = true;
    for (const tuple of this.locked) tuple.unlock(this);
    this.#locks.release(this);
    for (const ended of this.#ended) ended();
  }
}

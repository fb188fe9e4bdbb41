import type { SqlRow } from "../value/value.ts";
import type { LockHolder } from "./holder.ts";

/** A row as it is bound in a query: of a table, or one that a query made. */
export interface BoundRow {
  readonly values: SqlRow;
}

/** A version of a row of a table. */
export interface TupleVersion extends BoundRow {
  readonly tuple: Tuple;
  /** the transaction that wrote it: its `xmin` */
  readonly xid: number;
  /** the command of that transaction */
  readonly command: number;
  readonly isDeletion: boolean;
}

/** How strongly a transaction locks a row, weakest first (PostgreSQL 13.3.2). */
const LOCK_STRENGTHS = ["key share", "share", "no key update", "update"] as const;
export type LockStrength = (typeof LOCK_STRENGTHS)[number];

/** Strengths that two transactions may not hold at the same time (PostgreSQL table 13.3). */
const CONFLICTS: Readonly<Record<LockStrength, readonly LockStrength[]>> = {
  "key share": ["update"],
  share: ["no key update", "update"],
  "no key update": ["share", "no key update", "update"],
  update: ["key share", "share", "no key update", "update"],
};

/** A row of a table through all its versions. */
export class Tuple {
  /** the newest version that is committed; undefined while the row's insertion is not */
  committed: TupleVersion | undefined;
  /** versions of the one transaction that writes this row, oldest first */
  readonly pending: TupleVersion[] = [];
  writer: LockHolder | undefined;
  readonly #locks = new Map<LockHolder, LockStrength>();

  /** The version that a command of a transaction sees: of its own earlier commands, or else the committed one. */
  visibleTo(transaction: LockHolder, command: number): TupleVersion | undefined {
    if (this.writer === transaction)
      for (let index = this.pending.length - 1; index >= 0; index -= 1) {
        const version = this.pending[index];
        if (version !== undefined && version.command < command)
          return version.isDeletion ? undefined : version;
      }
    return this.committed;
  }

  /** The newest version: also of commands of the transaction that are not over. */
  newestFor(transaction: LockHolder): TupleVersion | undefined {
    const version = this.writer === transaction ? (this.pending.at(-1) ?? this.committed) : this.committed;
    return version?.isDeletion === true ? undefined : version;
  }

  /** Transactions whose locks or changes keep this one from a lock. */
  blockers(transaction: LockHolder, wanted: LockStrength): readonly LockHolder[] {
    if (this.#locks.size === 0) return [];
    const conflicts = CONFLICTS[wanted];
    return [...this.#locks].flatMap(([holder, held]) =>
      holder !== transaction && conflicts.includes(held) ? [holder] : [],
    );
  }

  lock(transaction: LockHolder, strength: LockStrength): void {
    const held = this.#locks.get(transaction);
    if (held === undefined) transaction.locked.push(this);
    if (held === undefined || LOCK_STRENGTHS.indexOf(held) < LOCK_STRENGTHS.indexOf(strength))
      this.#locks.set(transaction, strength);
  }

  unlock(transaction: LockHolder): void {
    this.#locks.delete(transaction);
  }
}

import type { LockClauseStrength, Node } from "libpg-query";
import { LockWait } from "../storage/holder.ts";
import type { ModelTransaction } from "../storage/transaction.ts";
import type { LockStrength, Tuple } from "../storage/tuple.ts";
import { UnknownSql } from "../value/sql-error.ts";
import type { Frame } from "./frame.ts";
import type { FromItem } from "./from.ts";
import { type BoundRows, isVersion } from "./scope.ts";

const STRENGTHS: Readonly<Partial<Record<LockClauseStrength, LockStrength>>> = {
  LCS_FORKEYSHARE: "key share",
  LCS_FORSHARE: "share",
  LCS_FORNOKEYUPDATE: "no key update",
  LCS_FORUPDATE: "update",
};

/** Locks a row. @throws LockWait while another transaction holds it, or changes it */
export const lockRow = (tuple: Tuple, transaction: ModelTransaction, strength: LockStrength): void => {
  const holders = tuple.blockers(transaction, strength);
  if (holders.length > 0) throw new LockWait(holders);
  tuple.lock(transaction, strength);
};

interface Locked {
  readonly place: number;
  readonly strength: LockStrength;
  readonly skips: boolean;
}

/**
 * Compiles `for update` and its like.
 * @returns a function that locks the tables' rows among joined ones; it returns false for rows that `skip locked` leaves out
 */
export const compileLocking = (
  clauses: readonly Node[],
  items: readonly FromItem[],
): ((rows: BoundRows, frame: Frame) => boolean) => {
  const locked = clauses.flatMap((node): readonly Locked[] => {
    if (!("LockingClause" in node)) throw new UnknownSql("a lock that is none");
    const { lockedRels, strength: given, waitPolicy } = node.LockingClause;
    const strength = given === undefined ? undefined : STRENGTHS[given];
    if (strength === undefined || waitPolicy === "LockWaitError") throw new UnknownSql(`the lock ${given}`);
    const names = lockedRels?.map((name) => ("RangeVar" in name ? name.RangeVar.relname : undefined));
    return items.flatMap(({ entry, table }, place) =>
      table !== undefined && (names === undefined || names.includes(entry.alias))
        ? [{ place, strength, skips: waitPolicy === "LockWaitSkip" }]
        : [],
    );
  });
  if (locked.length === 0) return () => true;
  return (rows, { command: { transaction } }) => {
    for (const { place, strength, skips } of locked) {
      const row = rows[place];
      if (row === undefined || !isVersion(row)) continue;
      if (skips && row.tuple.blockers(transaction, strength).length > 0) return false;
      lockRow(row.tuple, transaction, strength);
    }
    return true;
  };
};

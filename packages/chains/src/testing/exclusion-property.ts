import fc from "fast-check";

/** A chain as a model: which of the transactions that were offered to it may both land. */
export interface ChainModel<Transaction> {
  readonly transactions: fc.Arbitrary<Transaction>;
  /** the record of it by the family's reader */
  readonly exclusionOf: (transaction: Transaction) => Uint8Array;
  /** from when on it cannot land, Unix milliseconds */
  readonly deadlineMs: (transaction: Transaction) => number | undefined;
  /** whether the chain takes both, offered in either order, at these times */
  readonly canBothLand: (first: Transaction, second: Transaction) => boolean;
}

/** The possible events of one request. */
type Step<Transaction> =
  /** an orchestrator, honest or not, wants this signed */
  | { readonly kind: "sign"; readonly transaction: Transaction; readonly claimsDeath: boolean }
  /** time passes, for the chain and for the signer's clock */
  | { readonly kind: "pass"; readonly ms: number }
  /** the signer starts again from what it has on record */
  | { readonly kind: "restart" };

const HOUR_MS = 3_600_000;

/**
 * Holds a family's `excludes` to a model of its chain (INV-4): no sequence of requests, lies, clocks and restarts gets two
 * transactions of one request signed that could both land.
 *
 * The signer is the one that the family is made for: a second transaction is signed when it is excluded by each earlier
 * one, or when the earlier one is dead: the authority says so, having looked at the chain, and its deadline has passed.
 */
export const excludesSoundly = <Transaction>(
  excludes: (earlier: Uint8Array, later: Uint8Array) => boolean,
  model: ChainModel<Transaction>,
): void => {
  const step: fc.Arbitrary<Step<Transaction>> = fc.oneof(
    fc.record({
      kind: fc.constant("sign" as const),
      transaction: model.transactions,
      claimsDeath: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 0, max: HOUR_MS }) }),
    fc.record({ kind: fc.constant("restart" as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let nowMs = 0;
      const signed: Transaction[] = [];
      let records: { readonly exclusion: Uint8Array; readonly deadlineMs: number | undefined }[] = [];
      for (const each of steps) {
        if (each.kind === "pass") nowMs += each.ms;
        if (each.kind === "restart")
          records = records.map((kept) => ({ ...kept, exclusion: kept.exclusion.slice() }));
        if (each.kind !== "sign") continue;
        const later = {
          exclusion: model.exclusionOf(each.transaction),
          deadlineMs: model.deadlineMs(each.transaction),
        };
        // the chain takes nothing before it is signed, so what is past its deadline now never lands
        const isDead = (deadlineMs: number | undefined) => deadlineMs !== undefined && nowMs >= deadlineMs;
        const follows = records.every(
          ({ exclusion, deadlineMs }) =>
            excludes(exclusion, later.exclusion) || (each.claimsDeath && isDead(deadlineMs)),
        );
        if (!follows) continue;
        for (const earlier of signed) {
          if (isDead(model.deadlineMs(earlier))) continue;
          if (model.canBothLand(earlier, each.transaction)) return false;
        }
        signed.push(each.transaction);
        records = [...records, later];
      }
      return true;
    }),
    { numRuns: 300 },
  );
};

import fc from "fast-check";

/** A model of a chain: which two of its transactions may both land. */
export interface ChainModel<Transaction> {
  readonly transactions: fc.Arbitrary<Transaction>;
  /** the exclusion that the family's reader gives for it */
  readonly exclusionOf: (transaction: Transaction) => Uint8Array;
  /** the time from which it cannot land, Unix milliseconds */
  readonly deadlineMs: (transaction: Transaction) => number | undefined;
  /** whether the chain can include both, offered in either order, at these times */
  readonly canBothLand: (first: Transaction, second: Transaction) => boolean;
}

/** The events in the life of one request. */
type Step<Transaction> =
  /** an orchestrator, honest or not, asks for this signature */
  | { readonly kind: "sign"; readonly transaction: Transaction; readonly claimsDeath: boolean }
  /** time passes on the chain's and on the signer's clock */
  | { readonly kind: "pass"; readonly ms: number }
  /** the signer restarts from its stored records */
  | { readonly kind: "restart" };

const HOUR_MS = 3_600_000;

/**
 * Tests a family's `excludes` against a model of its chain (INV-4): for no sequence of requests, lies, clocks and restarts does
 * the signer sign two transactions of one request that could both land.
 *
 * The modelled signer signs a second transaction if each earlier one excludes it or is dead: the authority claims the death
 * after looking at the chain, and the earlier one's deadline has passed.
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
        // an unsigned transaction cannot land, so one past its deadline now never will
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

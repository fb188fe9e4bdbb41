import { type FamilyContent, ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { dateBySeconds } from "../../block-date.ts";
import type { Sighting } from "../../chain.ts";
import { type StellarEffect, stellarEffect } from "./effect-of.ts";
import { lastLedger, ledgerAt } from "./ledgers.ts";
import { askStellar, type StellarRest } from "./rest.ts";
import type { SubmittedMemory } from "./submitted-memory.ts";

/** Horizon gives the fee as text; older versions give a number. */
const stroops = z.union([z.string().regex(/^[0-9]{1,18}$/), z.int().nonnegative()]).transform(BigInt);

const landedSchema = z.object({
  ledger: z.int().positive(),
  successful: z.boolean(),
  fee_charged: stroops,
  source_account: z.string(),
  fee_account: z.string().optional(),
});

/**
 * Looks for a transaction. A transaction in a ledger is final, and has paid its fee, whether or not it succeeded.
 * Horizon shows no waiting transactions. So a transaction that a node accepted counts as waiting for some ledgers, and
 * then, or after its time bound, as unknown: a node that accepts it whenever asked cannot hold it back that way.
 *
 * @param expected the transfer that it is to carry out
 */
export const sightStellar = async (
  rest: StellarRest,
  memory: SubmittedMemory,
  id: string,
  expected?: FamilyContent,
): Promise<Result<Sighting>> => {
  const found = await askStellar(rest, `/transactions/${id}`, landedSchema);
  if (!found.ok) return found;
  const landed = found.value.value;
  if (landed === undefined) return waitingOrOver(rest, memory.deadlineOf(id));
  const ledger = await ledgerAt(rest, BigInt(landed.ledger));
  if (!ledger.ok) return ledger;
  // the answer comes from one of several nodes that lags: it has the transaction, but not its ledger
  if (ledger.value === undefined) return ok({ kind: "waiting" });
  const effect: Result<StellarEffect> = landed.successful
    ? await stellarEffect(rest, id, expected)
    : ok({ succeeded: false });
  if (!effect.ok) return effect;
  const { source_account: from, fee_account: payer = from, fee_charged: fee } = landed;
  return ok({
    kind: "included",
    height: ledger.value.sequence,
    blockHash: ledger.value.hash,
    isFinal: true,
    // someone else may pay the fee, by a fee bump
    fee: payer === from ? fee : 0n,
    ...dateBySeconds(ledger.value.closedAt),
    ...effect.value,
  });
};

/**
 * Whether a transaction that is in no ledger may still land. @param maxTime its time bound; undefined if no node has
 * accepted it
 */
const waitingOrOver = async (rest: StellarRest, maxTime: bigint | undefined): Promise<Result<Sighting>> => {
  if (maxTime === undefined) return ok({ kind: "unknown" });
  const last = await lastLedger(rest);
  if (!last.ok) return last;
  return ok({ kind: last.value.closedAt > maxTime ? "unknown" : "waiting" });
};

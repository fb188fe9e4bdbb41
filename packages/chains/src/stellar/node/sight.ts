import { type FamilyContent, ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { dateBySeconds } from "../../block-date.ts";
import type { Sighting } from "../../chain.ts";
import { type StellarEffect, stellarEffect } from "./effect-of.ts";
import { lastLedger, ledgerAt } from "./ledgers.ts";
import { askStellar, type StellarRest } from "./rest.ts";
import type { SubmittedMemory } from "./submitted-memory.ts";

/** Horizon writes the fee as text, and did as a number before. */
const stroops = z.union([z.string().regex(/^[0-9]{1,18}$/), z.int().nonnegative()]).transform(BigInt);

const landedSchema = z.object({
  ledger: z.int().positive(),
  successful: z.boolean(),
  fee_charged: stroops,
  source_account: z.string(),
  fee_account: z.string().optional(),
});

/**
 * Looks for a transaction. A transaction in a ledger is final, and has paid its fee, whether or not it
 * succeeded. Horizon tells nothing of what waits: so what a node took counts as waiting for some ledgers, and
 * as unknown then, or once its time is over: a node that says that it takes it, as often as it is asked, does
 * not hold it back.
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
  // a node that has the transaction and not its ledger is one of several, and behind
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
    // anybody may pay for it, by a fee bump around it
    fee: payer === from ? fee : 0n,
    ...dateBySeconds(ledger.value.closedAt),
    ...effect.value,
  });
};

/** Whether a transaction that no ledger holds may still land. @param maxTime its time bound; undefined where the node has not taken it */
const waitingOrOver = async (rest: StellarRest, maxTime: bigint | undefined): Promise<Result<Sighting>> => {
  if (maxTime === undefined) return ok({ kind: "unknown" });
  const last = await lastLedger(rest);
  if (!last.ok) return last;
  return ok({ kind: last.value.closedAt > maxTime ? "unknown" : "waiting" });
};

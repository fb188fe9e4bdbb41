import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import type { Sighting } from "../../chain.ts";
import { ledgerAt } from "./ledgers.ts";
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
 * Looks for a transaction. What is in a ledger is final, and has paid its fee, whether or not it did what it says. Horizon
 * tells nothing of what waits: so what a node took counts as waiting for some ledgers, and as unknown then.
 */
export const sightStellar = async (
  rest: StellarRest,
  memory: SubmittedMemory,
  id: string,
): Promise<Result<Sighting>> => {
  const found = await askStellar(rest, `/transactions/${id}`, landedSchema);
  if (!found.ok) return found;
  const landed = found.value.value;
  if (landed === undefined) return ok({ kind: memory.isFresh(id) ? "waiting" : "unknown" });
  const ledger = await ledgerAt(rest, BigInt(landed.ledger));
  if (!ledger.ok) return ledger;
  // a node that has the transaction and not its ledger is one of several, and behind
  if (ledger.value === undefined) return ok({ kind: "waiting" });
  const { source_account: from, fee_account: payer = from, fee_charged: fee, successful } = landed;
  return ok({
    kind: "included",
    height: ledger.value.sequence,
    blockHash: ledger.value.hash,
    isFinal: true,
    // anybody may pay for it, by a fee bump around it
    fee: payer === from ? fee : 0n,
    succeeded: successful,
  });
};

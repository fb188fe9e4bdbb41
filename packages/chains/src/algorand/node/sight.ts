import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import type { Sighting } from "../../chain.ts";
import { type Algod, askFor } from "./rest.ts";
import type { Landing, RoundMemory } from "./round-memory.ts";
import { dateOfRound, hashOfRound, lastRoundOf } from "./rounds.ts";

const amount = z.bigint().nonnegative();

const pendingSchema = z.object({
  /** absent or zero as long as it is in no block */
  "confirmed-round": amount.optional(),
  /** why the pool dropped it; empty while it did not */
  "pool-error": z.string().optional(),
  txn: z.object({ txn: z.object({ fee: amount.optional(), lv: amount.optional() }) }),
});

/**
 * Looks for a transaction. A transaction in a block is final, and has had its effect: the chain takes none that
 * fails, and of an amount all arrives. So what a transfer expects needs no further look.
 *
 * A node remembers for some thousand rounds where a transaction landed. Where our own reading of rounds has found it (see
 * `algorandFate`), that tells after that time.
 */
export const sightAlgorand = async (
  algod: Algod,
  memory: RoundMemory,
  id: string,
): Promise<Result<Sighting>> => {
  const found = await askFor(algod, `/v2/transactions/pending/${id}?format=json`, pendingSchema);
  if (!found.ok) return found;
  const landing = found.value === undefined ? undefined : landingIn(found.value);
  const landed = landing ?? memory.landingOf(id);
  if (landed !== undefined) return included(algod, memory, landed);
  const isInPool = found.value !== undefined && (found.value["pool-error"] ?? "") === "";
  return isInPool ? waitingOrOver(algod, found.value.txn.txn.lv) : ok({ kind: "unknown" });
};

/** A node may go on to show what can land no more, such as one that keeps a list of its own of what it was handed. */
const waitingOrOver = async (algod: Algod, lastValid: bigint | undefined): Promise<Result<Sighting>> => {
  if (lastValid === undefined) return ok({ kind: "waiting" });
  const lastRound = await lastRoundOf(algod);
  if (!lastRound.ok) return lastRound;
  return ok({ kind: lastRound.value > lastValid ? "unknown" : "waiting" });
};

const landingIn = ({
  "confirmed-round": round = 0n,
  txn,
}: z.infer<typeof pendingSchema>): Landing | undefined =>
  round === 0n ? undefined : { round, fee: txn.txn.fee ?? 0n };

/** A node that has the transaction and not its block yet is one that is about to have it. */
const included = async (
  algod: Algod,
  memory: RoundMemory,
  { round, fee }: Landing,
): Promise<Result<Sighting>> => {
  const hash = await hashOfRound(algod, round);
  if (!hash.ok) return hash;
  if (hash.value === undefined) return ok({ kind: "waiting" });
  const date = await dateOfRound(algod, memory, round);
  if (!date.ok) return date;
  return ok({
    kind: "included",
    height: round,
    blockHash: hash.value,
    isFinal: true,
    fee,
    ...date.value,
    succeeded: true,
  });
};

import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import type { Sighting } from "../../chain.ts";
import { type Algod, askFor } from "./rest.ts";
import type { Landing, RoundMemory } from "./round-memory.ts";
import { dateOfRound, hashOfRound, lastRoundOf } from "./rounds.ts";

const amount = z.bigint().nonnegative();

const pendingSchema = z.object({
  /** absent or zero while it is in no block */
  "confirmed-round": amount.optional(),
  /** why the pool dropped it; empty if it did not */
  "pool-error": z.string().optional(),
  txn: z.object({ txn: z.object({ fee: amount.optional(), lv: amount.optional() }) }),
});

/**
 * Looks for a transaction. A transaction in a block is final, and has had its effect: the chain includes no failed
 * transactions, and the whole amount arrives, so an expected transfer needs no further check.
 *
 * A node remembers for some thousand rounds where a transaction landed. After that, our own reading of rounds tells, if
 * it has found the transaction (see `algorandFate`).
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

/**
 * Treats an expired transaction as unknown: a node may still show it, for example from its own list of submitted
 * transactions.
 */
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

/** If the node has the transaction but not its block yet, it is about to have the block. */
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

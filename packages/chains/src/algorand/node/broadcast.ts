import { z } from "zod";
import type { BroadcastOutcome } from "../../chain.ts";
import type { Algod } from "./rest.ts";

const takenSchema = z.object({ txId: z.string() });

/** A node's words for what it does not take (go-algorand, "TransactionPool.Remember: …"). */
const IN_LEDGER = /transaction already in ledger: ([A-Z2-7]{52})/;
const LEASE_HELD = /overlapping lease/;
const DEAD = /txn dead: round (\d+) outside of (\d+)--(\d+)/;

/**
 * Hands signed bytes to the node. A node that has them already is a success: after a crash the same bytes go out again
 * (INV-4).
 * @param id of the transaction, computed from its bytes
 */
export const broadcastAlgorand = async (
  algod: Algod,
  signed: Uint8Array,
  id: string,
): Promise<BroadcastOutcome> => {
  const said = await algod.post("/v2/transactions", signed);
  switch (said.kind) {
    case "away":
      return { kind: "refused", reason: `the chain node does not answer: ${said.cause}` };
    case "absent":
      return { kind: "refused", reason: "the chain node takes no transactions" };
    case "refused":
      return algodOutcome(said.words, id);
    case "answer": {
      const taken = takenSchema.safeParse(said.body);
      return taken.success && taken.data.txId === id
        ? { kind: "accepted" }
        : { kind: "refused", reason: "the chain node does not say that it took the transaction" };
    }
  }
};

/** Reads a node's refusal of a signed transaction. Of older nodes "already in ledger" may mean another one with its lease. */
export const algodOutcome = (said: string, id: string): BroadcastOutcome => {
  const known = IN_LEDGER.exec(said)?.[1];
  if (known === id) return { kind: "accepted" };
  if (known !== undefined || LEASE_HELD.test(said)) {
    return { kind: "outdated", reason: "another transaction of the request holds its lease" };
  }
  const [, round, , last] = DEAD.exec(said) ?? [];
  if (round !== undefined && last !== undefined && BigInt(round) > BigInt(last)) {
    return { kind: "outdated", reason: "its rounds are over; waiting for the chain to settle it" };
  }
  return { kind: "refused", reason: `the chain node does not take the transaction: ${said}` };
};

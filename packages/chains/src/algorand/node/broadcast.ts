import { z } from "zod";
import type { BroadcastOutcome } from "../../chain.ts";
import { readRefusal } from "./refusals.ts";
import type { Algod } from "./rest.ts";

const takenSchema = z.object({ txId: z.string() });

const LEASE_HELD = "its lease is held, by itself or by another transaction of the request";

/**
 * Sends signed bytes to the node. It is a success if the node has them already: after a crash the same bytes are sent
 * again (INV-4).
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

/** Reads a node's refusal of a signed transaction: the table of docs/refusals/algorand.md. */
export const algodOutcome = (said: string, id: string): BroadcastOutcome => {
  const refusal = readRefusal(said);
  const reason = `the chain node does not take the transaction: ${said}`;
  switch (refusal.kind) {
    case "in-ledger":
      return refusal.id === id ? { kind: "accepted" } : { kind: "outdated", reason: LEASE_HELD };
    case "lease-held":
      return { kind: "outdated", reason: LEASE_HELD };
    case "over":
      return { kind: "outdated", reason: "its rounds are over; waiting for the chain to settle it" };
    case "for-good":
      return { kind: "unacceptable", reason };
    case "for-now":
      return { kind: "refused", reason };
  }
};

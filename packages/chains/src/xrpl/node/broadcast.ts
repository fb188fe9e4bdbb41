import { bytesToHex } from "@noble/curves/utils.js";
import { z } from "zod";
import type { BroadcastOutcome } from "../../chain.ts";
import { uint32Field } from "./fields.ts";
import type { Rippled } from "./json-rpc.ts";
import { verdictOf } from "./results.ts";

const takenSchema = z.object({
  /** such as tesSUCCESS (rippled, TER.h) */
  engine_result: z.string(),
  engine_result_message: z.string().optional(),
  validated_ledger_index: uint32Field.optional(),
  tx_json: z.object({ hash: z.string().optional() }).optional(),
});
type Taken = z.infer<typeof takenSchema>;

/** The parts of a transaction that are needed to judge an answer. */
export interface SentXrpl {
  readonly signed: Uint8Array;
  /** computed from its bytes */
  readonly id: string;
  /** the last ledger in which it may land */
  readonly lastLedger: number;
}

/**
 * Sends signed bytes to the node. It is a success if the node has them already: after a crash the same bytes are sent
 * again (INV-4).
 */
export const broadcastXrpl = async (rippled: Rippled, sent: SentXrpl): Promise<BroadcastOutcome> => {
  const blob = bytesToHex(sent.signed).toUpperCase();
  const said = await rippled.call("submit", { tx_blob: blob });
  switch (said.kind) {
    case "away":
      return { kind: "refused", reason: `the chain node does not answer: ${said.cause}` };
    case "error": {
      // invalidTransaction is about the bytes themselves, such as their signature; every other error is a problem of
      // the node
      const kind = said.error === "invalidTransaction" ? "unacceptable" : "refused";
      return { kind, reason: `the chain node does not take the transaction: ${said.words}` };
    }
    case "answer": {
      const taken = takenSchema.safeParse(said.result);
      return taken.success
        ? engineOutcome(taken.data, sent)
        : { kind: "refused", reason: "the chain node does not say whether it took the transaction" };
    }
  }
};

const PLACED = "its Sequence is taken, by itself or by another; waiting for the chain to settle it";
const OVER = "its ledgers are over; waiting for the chain to settle it";

/**
 * Reads rippled's result for a signed transaction (XRP Ledger docs, "Transaction results"). rippled may return some
 * results before it checks the last ledger, so that is checked here too.
 */
export const engineOutcome = (taken: Taken, { id, lastLedger }: SentXrpl): BroadcastOutcome => {
  const {
    engine_result: result,
    engine_result_message: words,
    validated_ledger_index: validated = 0,
  } = taken;
  const named = taken.tx_json?.hash;
  if (named !== undefined && named !== id) {
    return { kind: "refused", reason: "the chain node speaks of another transaction" };
  }
  const verdict = verdictOf(result);
  const reason = `the chain node does not take the transaction: ${result}${words === undefined ? "" : `: ${words}`}`;
  switch (verdict) {
    case "success":
    case "known":
    // applied too: costs the fee, and does nothing else
    case "claimed":
      return { kind: "accepted" };
    case "placed":
      return { kind: "outdated", reason: PLACED };
    case "over":
      return { kind: "outdated", reason: OVER };
    case "for-good":
    case "for-now":
      if (validated > lastLedger) return { kind: "outdated", reason: OVER };
      return { kind: verdict === "for-good" ? "unacceptable" : "refused", reason };
  }
};

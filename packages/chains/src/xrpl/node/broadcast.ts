import { bytesToHex } from "@noble/curves/utils.js";
import { z } from "zod";
import type { BroadcastOutcome } from "../../chain.ts";
import { uint32Field } from "./fields.ts";
import type { Rippled } from "./json-rpc.ts";

const takenSchema = z.object({
  /** such as tesSUCCESS (rippled, TER.h) */
  engine_result: z.string(),
  engine_result_message: z.string().optional(),
  validated_ledger_index: uint32Field.optional(),
  tx_json: z.object({ hash: z.string().optional() }).optional(),
});
type Taken = z.infer<typeof takenSchema>;

/** A transaction as far as an answer is judged by it. */
export interface SentXrpl {
  readonly signed: Uint8Array;
  /** computed from its bytes */
  readonly id: string;
  /** the last ledger in which it may land */
  readonly lastLedger: number;
}

/**
 * Hands signed bytes to the node. A node that has them already is a success: after a crash the same bytes go out again
 * (INV-4).
 */
export const broadcastXrpl = async (rippled: Rippled, sent: SentXrpl): Promise<BroadcastOutcome> => {
  const blob = bytesToHex(sent.signed).toUpperCase();
  const said = await rippled.call("submit", { tx_blob: blob });
  switch (said.kind) {
    case "away":
      return { kind: "refused", reason: `the chain node does not answer: ${said.cause}` };
    case "error":
      return { kind: "refused", reason: `the chain node does not take the transaction: ${said.words}` };
    case "answer": {
      const taken = takenSchema.safeParse(said.result);
      return taken.success
        ? engineOutcome(taken.data, sent)
        : { kind: "refused", reason: "the chain node does not say whether it took the transaction" };
    }
  }
};

/** The node has it: applied for now, waiting in the queue, or there before. A tec is applied too, and costs the fee. */
const isTaken = (result: string): boolean =>
  result === "tesSUCCESS" || result === "terQUEUED" || result === "tefALREADY" || result.startsWith("tec");

/** Its place is taken, or its ledgers are over: as this node sees it, which is no proof. */
const OUTDATED: Readonly<Record<string, string>> = {
  tefPAST_SEQ: "its Sequence is taken, by itself or by another; waiting for the chain to settle it",
  tefMAX_LEDGER: "its ledgers are over; waiting for the chain to settle it",
};

/**
 * Reads what rippled makes of a signed transaction (XRP Ledger docs, "Transaction results"). Whatever it says that is not
 * known here, the same bytes may be taken later. Some results stand before the check of the last ledger, so that one is
 * checked here as well.
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
  if (isTaken(result)) return { kind: "accepted" };
  const outdated = OUTDATED[result] ?? (validated > lastLedger ? OUTDATED["tefMAX_LEDGER"] : undefined);
  return outdated === undefined
    ? {
        kind: "refused",
        reason: `the chain node does not take the transaction: ${result}${words === undefined ? "" : `: ${words}`}`,
      }
    : { kind: "outdated", reason: outdated };
};

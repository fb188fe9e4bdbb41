import { base64 } from "@scure/base";
import { z } from "zod";
import type { BroadcastOutcome } from "../../chain.ts";
import type { StellarAnswer, StellarRest } from "./rest.ts";
import { refusalIn } from "./results.ts";

const submittedSchema = z.object({
  tx_status: z.enum(["PENDING", "DUPLICATE", "TRY_AGAIN_LATER", "ERROR"]),
  hash: z.string().optional(),
  error_result_xdr: z.string().optional(),
});

/** Horizon's own error, before the bytes reach the chain's node. */
const malformedSchema = z.object({ type: z.string().regex(/\/transaction_malformed$/) });

const refused = (reason: string): BroadcastOutcome => ({ kind: "refused", reason });

/**
 * Sends signed bytes to the node, without waiting for a ledger. It is a success if the node has them already: after a
 * crash the same bytes are sent again (INV-4).
 *
 * @param id of the transaction, computed from its bytes
 */
export const broadcastStellar = async (
  rest: StellarRest,
  signed: Uint8Array,
  id: string,
): Promise<BroadcastOutcome> =>
  stellarOutcome(await rest.post("/transactions_async", { tx: base64.encode(signed) }), id);

/** Reads a node's answer to a signed transaction. After every answer the same bytes may be sent again. */
export const stellarOutcome = (answer: StellarAnswer, id: string): BroadcastOutcome => {
  if (answer.kind === "away") return refused(`the chain node does not answer: ${answer.cause}`);
  const submitted = submittedSchema.safeParse(answer.body);
  if (!submitted.success) {
    const reason = `the chain node says ${answer.status}: ${answer.words}`;
    return malformedSchema.safeParse(answer.body).success
      ? { kind: "unacceptable", reason }
      : refused(reason);
  }
  const { tx_status: status, hash, error_result_xdr: resultXdr = "" } = submitted.data;
  if (hash !== undefined && hash !== id) return refused("the chain node speaks of another transaction");
  switch (status) {
    case "PENDING":
    case "DUPLICATE":
      return { kind: "accepted" };
    case "TRY_AGAIN_LATER":
      return refused("the chain node takes the transaction later, as when another of the account waits");
    case "ERROR":
      return refusalOutcome(refusalIn(resultXdr));
  }
};

/** Codes of permanent refusals (stellar-core, TransactionFrame.cpp): the table of docs/refusals/stellar.md. */
const FOR_GOOD: ReadonlySet<string> = new Set([
  "tx_bad_auth",
  "tx_bad_auth_extra",
  "tx_bad_sponsorship",
  // its one operation is malformed, not supported, or lacks the account's authority
  "tx_failed",
  "tx_malformed",
  "tx_missing_operation",
  "tx_not_supported",
  "tx_soroban_invalid",
]);

const refusalOutcome = (code: string | undefined): BroadcastOutcome => {
  switch (code) {
    // its sequence number is taken, by this transaction or another, or its predecessor has not landed
    case "tx_bad_seq":
      return { kind: "outdated", reason: "its sequence number is not the account's next one" };
    case "tx_too_late":
      return { kind: "outdated", reason: "its time is over; waiting for the chain to settle it" };
    case "tx_insufficient_fee":
      return refused("the chain is busy and asks for a higher fee; it is sent again until its time is over");
    default: {
      const reason = `the chain node does not take the transaction: ${code ?? "of no reason that is known"}`;
      return code !== undefined && FOR_GOOD.has(code) ? { kind: "unacceptable", reason } : refused(reason);
    }
  }
};

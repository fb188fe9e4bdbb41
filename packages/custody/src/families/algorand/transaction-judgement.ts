import { lowerHex } from "../../chain-request/hexadecimal.ts";
import type { TransactionBody } from "../../chain-request/transaction-body.ts";
import { fail, ok, type Result } from "../../errors.ts";
import type { Network } from "../../network.ts";
import type { SignatureBody } from "../../signature/signature-body.ts";
import type { AlgorandContent, AlgorandTransaction } from "./act.ts";
import { parseAlgorandAddress } from "./address.ts";

/**
 * Judges what a broadcast asks for. The chain's own decoder judges the content of the bytes: here they are
 * taken as they are, for the wallet's own account.
 * @returns the transaction, ready to be authorised; TransactionKindNotSupported for every template but `Transaction`
 */
export const judgeAlgorandTransaction = (
  network: Network,
  body: TransactionBody,
  sender: string,
): Result<AlgorandTransaction> => {
  if (body.kind !== "Transaction") {
    return fail("TransactionKindNotSupported", { field: "kind", network, kinds: ["Transaction"] });
  }
  const from = parseAlgorandAddress(sender, "from");
  return from.ok ? ok({ kind: "Exact", from: from.value, unsigned: lowerHex(body.transaction) }) : from;
};

/** @returns SignatureKindNotSupported for all but a transaction, InvalidBody when it names no network */
export const judgeAlgorandContent = (
  network: Network | undefined,
  body: SignatureBody,
): Result<AlgorandContent> => {
  if (body.kind !== "Transaction") {
    return fail("SignatureKindNotSupported", { field: "kind", kinds: ["Hash", "Message", "Transaction"] });
  }
  if (network !== undefined) {
    return ok({ kind: "transaction", network, transaction: lowerHex(body.transaction) });
  }
  const message = "is needed to sign a transaction with a key";
  return fail("InvalidBody", { issues: [{ path: "network", message }] }, `network ${message}`);
};

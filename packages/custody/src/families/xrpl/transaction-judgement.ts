import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { lowerHex } from "../../chain-request/hexadecimal.ts";
import type { TransactionBody } from "../../chain-request/transaction-body.ts";
import { fail, ok, type Result } from "../../errors.ts";
import type { Network } from "../../network.ts";
import type { SignatureBody } from "../../signature/signature-body.ts";
import type { XrplContent, XrplTransaction } from "./act.ts";
import { parseXrplAddress, xrplPublicKey } from "./address.ts";

/** The key as the ledger writes it. Clients leave it to the service to put it into their bytes. */
const keyOf = (publicKey: string | undefined): Pick<XrplTransaction, "signingPubKey"> =>
  publicKey === undefined ? {} : { signingPubKey: bytesToHex(xrplPublicKey(hexToBytes(publicKey))) };

/**
 * Judges what a broadcast asks for. The chain's own decoder judges the content of the bytes: here they are
 * taken as they are, for the wallet's own account.
 * @returns the transaction, ready to be authorised; TransactionKindNotSupported for every template but `Transaction`
 */
export const judgeXrplTransaction = (
  network: Network,
  body: TransactionBody,
  sender: string,
  publicKey: string | undefined,
): Result<XrplTransaction> => {
  if (body.kind !== "Transaction") {
    return fail("TransactionKindNotSupported", { field: "kind", network, kinds: ["Transaction"] });
  }
  const from = parseXrplAddress(sender, "from");
  return from.ok
    ? ok({ kind: "Exact", from: from.value, unsigned: lowerHex(body.transaction), ...keyOf(publicKey) })
    : from;
};

/** @returns SignatureKindNotSupported for all but a transaction, InvalidBody when it names no network */
export const judgeXrplContent = (
  network: Network | undefined,
  body: SignatureBody,
  publicKey: string | undefined,
): Result<XrplContent> => {
  if (body.kind !== "Transaction") {
    return fail("SignatureKindNotSupported", { field: "kind", kinds: ["Hash", "Transaction"] });
  }
  if (network !== undefined) {
    return ok({
      kind: "transaction",
      network,
      transaction: lowerHex(body.transaction),
      ...keyOf(publicKey),
    });
  }
  const message = "is needed to sign a transaction with a key";
  return fail("InvalidBody", { issues: [{ path: "network", message }] }, `network ${message}`);
};

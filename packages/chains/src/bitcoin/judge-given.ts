import { BITCOIN_RULES, bitcoinContentSchema, bitcoinTransactionSchema, fail, ok } from "@conclave/custody";
import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import type { ChainFamily } from "../chain.ts";
import { whyNonStandard } from "./relay-rules.ts";
import { readGivenPsbt } from "./wire/given-psbt.ts";
import { encodePsbt } from "./wire/psbt.ts";

/**
 * Judges a transaction of a caller's making. A PSBT is authorised in the one encoding that signers read, without the fields that change nothing
 * of what is signed.
 * @returns what the rules refuse, TransactionUnreadable, and TransactionInvalid for what no node relays
 */
export const judgeGivenTransaction: ChainFamily["judgeTransaction"] = (network, body, sender, publicKey) => {
  const judged = BITCOIN_RULES.judgeTransaction(network, body, sender, publicKey);
  if (!judged.ok) return judged;
  const transaction = bitcoinTransactionSchema.parse(judged.value);
  if (transaction.kind !== "Exact") return judged;
  const given = readGivenPsbt(hexToBytes(transaction.unsigned));
  if (!given.ok) return given;
  const why = whyNonStandard(given.value.psbt);
  return why === undefined
    ? ok({ ...transaction, unsigned: bytesToHex(encodePsbt(given.value.psbt)) })
    : fail("TransactionInvalid", { field: "psbt" }, `The transaction is not valid: ${why}.`);
};

/** The same of a PSBT that is signed and not sent. */
export const judgeGivenContent: ChainFamily["judgeContent"] = (network, body, publicKey) => {
  const judged = BITCOIN_RULES.judgeContent(network, body, publicKey);
  if (!judged.ok) return judged;
  const content = bitcoinContentSchema.parse(judged.value);
  const given = readGivenPsbt(hexToBytes(content.psbt));
  return given.ok ? ok({ ...content, psbt: bytesToHex(encodePsbt(given.value.psbt)) }) : given;
};

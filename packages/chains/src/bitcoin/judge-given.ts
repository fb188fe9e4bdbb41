import { fail, ok, PSBT_BYTES_MAX, type Result } from "@conclave/custody";
import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import type { ChainFamily } from "../chain.ts";
import { whyNonStandard } from "./relay-rules.ts";
import { bitcoinContentSchema, bitcoinTransactionSchema } from "./rules/act.ts";
import { BITCOIN_RULES } from "./rules/rules.ts";
import { readGivenPsbt } from "./wire/given-psbt.ts";
import { encodePsbt, type Psbt, unreadablePsbt } from "./wire/psbt.ts";

/**
 * Judges a transaction that a caller built. A PSBT is authorised in the one encoding that signers read, without the fields that
 * do not affect the signed bytes.
 * @returns the refusals of the rules, TransactionUnreadable, and TransactionInvalid for bytes that no node relays
 */
export const judgeGivenTransaction: ChainFamily["judgeTransaction"] = (network, body, sender, publicKey) => {
  const judged = BITCOIN_RULES.judgeTransaction(network, body, sender, publicKey);
  if (!judged.ok) return judged;
  const transaction = bitcoinTransactionSchema.parse(judged.value);
  if (transaction.kind !== "Exact") return judged;
  const given = readGivenPsbt(hexToBytes(transaction.unsigned));
  if (!given.ok) return given;
  const why = whyNonStandard(given.value.psbt);
  if (why !== undefined) {
    return fail("TransactionInvalid", { field: "psbt" }, `The transaction is not valid: ${why}.`);
  }
  const written = asSignersRead(given.value.psbt);
  return written.ok ? ok({ ...transaction, unsigned: written.value }) : written;
};

/**
 * Writes a PSBT in its one encoding, lower-case hex. This states the coin of every input, so it may be longer than the caller's
 * PSBT.
 * @returns TransactionUnreadable if it is longer than signers read
 */
const asSignersRead = (psbt: Psbt): Result<string> => {
  const bytes = encodePsbt(psbt);
  return bytes.length > PSBT_BYTES_MAX
    ? unreadablePsbt(
        `with the coin of each input it takes ${bytes.length} bytes, and at most ${PSBT_BYTES_MAX} are read: spend fewer coins at a time`,
      )
    : ok(bytesToHex(bytes));
};

/** Like `judgeGivenTransaction`, for a PSBT that is signed and not sent. */
export const judgeGivenContent: ChainFamily["judgeContent"] = (network, body, publicKey) => {
  const judged = BITCOIN_RULES.judgeContent(network, body, publicKey);
  if (!judged.ok) return judged;
  const content = bitcoinContentSchema.parse(judged.value);
  const given = readGivenPsbt(hexToBytes(content.psbt));
  if (!given.ok) return given;
  const written = asSignersRead(given.value.psbt);
  return written.ok ? ok({ ...content, psbt: written.value }) : written;
};

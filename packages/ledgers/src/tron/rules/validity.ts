import { bytesToHex } from "@noble/hashes/utils.js";
import type { JavaTronSubmission } from "../transaction/transaction.ts";
import { JavaTronNotTaken } from "./applied.ts";

const SIZE_MAX = 500 * 1024;
/** Bytes of a result; a node reserves two of them here. @source java-tron, Constant.MAX_RESULT_SIZE_IN_TX */
const RESULT_BYTES = 64;
const DAY_MS = 86_400_000;

/** The earlier blocks and transactions against which a transaction is checked. */
export interface JavaTronPast {
  /** by the 2 lowest bytes of a recent block's number, 8 bytes of its id; both in hex */
  readonly referenceHash: (refBlockBytes: string) => string | undefined;
  /** milliseconds since 1970 */
  readonly headTime: number;
  readonly isKnown: (id: string) => boolean;
}

/**
 * Whether a transaction refers to this chain, has not expired, and is new.
 * @source java-tron, Manager.validateTapos, validateCommon, validateDup
 * @throws JavaTronNotTaken
 */
export const checkJavaTronValidity = (
  { id, transaction, size }: JavaTronSubmission,
  past: JavaTronPast,
): void => {
  const { refBlockBytes, refBlockHash, expiration } = transaction;
  if (past.referenceHash(bytesToHex(refBlockBytes)) !== bytesToHex(refBlockHash)) {
    throw new JavaTronNotTaken("TAPOS_ERROR", "Tapos check error.");
  }
  const counted = size + 2 * RESULT_BYTES;
  if (counted > SIZE_MAX) {
    throw new JavaTronNotTaken(
      "TOO_BIG_TRANSACTION_ERROR",
      `Too big transaction with result, TxId ${id}, the size is ${counted} bytes, maxTxSize ${SIZE_MAX}`,
    );
  }
  if (expiration <= past.headTime || expiration > past.headTime + DAY_MS) {
    throw new JavaTronNotTaken("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");
  }
  if (past.isKnown(id)) throw new JavaTronNotTaken("DUP_TRANSACTION_ERROR", "Dup transaction.");
};

import { bytesToHex } from "@noble/hashes/utils.js";
import type { JavaTronSubmission } from "../transaction/transaction.ts";
import { JavaTronNotTaken } from "./applied.ts";

const SIZE_MAX = 500 * 1024;
/** Room for a result, of which a node counts two here. @source java-tron, Constant.MAX_RESULT_SIZE_IN_TX */
const RESULT_BYTES = 64;
const DAY_MS = 86_400_000;

/** The base of a transaction's checks: blocks that it may refer to, and the time of the latest. */
export interface JavaTronPast {
  /** 8 bytes in hex of the id of a recent block, by the 2 lowest bytes of its number in hex */
  readonly referenceHash: (refBlockBytes: string) => string | undefined;
  /** milliseconds since 1970 */
  readonly headTime: number;
  readonly isKnown: (id: string) => boolean;
}

/**
 * Whether a transaction belongs to this chain and to this time, and is new.
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

import { base64 } from "@scure/base";

/** TransactionResultCode (stellar-xdr, Stellar-transaction.x), by the names that Horizon and the SDKs use. */
const CODES: ReadonlyMap<number, string> = new Map([
  [0, "tx_success"],
  [-1, "tx_failed"],
  [-2, "tx_too_early"],
  [-3, "tx_too_late"],
  [-4, "tx_missing_operation"],
  [-5, "tx_bad_seq"],
  [-6, "tx_bad_auth"],
  [-7, "tx_insufficient_balance"],
  [-8, "tx_no_source_account"],
  [-9, "tx_insufficient_fee"],
  [-10, "tx_bad_auth_extra"],
  [-11, "tx_internal_error"],
  [-12, "tx_not_supported"],
  [-13, "tx_fee_bump_inner_failed"],
  [-14, "tx_bad_sponsorship"],
  [-15, "tx_bad_minseq_age_or_gap"],
  [-16, "tx_malformed"],
  [-17, "tx_soroban_invalid"],
]);

/** Offset of the code, after the charged fee of 64 bits. */
const CODE_AT = 8;

const bytesOf = (text: string): Uint8Array => {
  try {
    return base64.decode(text);
  } catch {
    return new Uint8Array(0);
  }
};

/**
 * Why a node refused a transaction.
 *
 * @param resultXdr base64 of a TransactionResult
 * @returns the name of its code; undefined if it is unknown
 */
export const refusalIn = (resultXdr: string): string | undefined => {
  const bytes = bytesOf(resultXdr);
  if (bytes.length < CODE_AT + Int32Array.BYTES_PER_ELEMENT) return undefined;
  return CODES.get(new DataView(bytes.buffer, bytes.byteOffset).getInt32(CODE_AT));
};

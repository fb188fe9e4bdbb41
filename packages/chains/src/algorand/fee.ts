import { fail, ok, type Result } from "@conclave/custody";
import { signedAlgorand } from "./signed.ts";
import { type AlgorandDraft, encodeAlgorand } from "./transaction.ts";

const SIGNATURE_BYTES = 64;
/** A placeholder fee whose encoding is as long as that of any fee below a sensible cap. */
const LONG_FEE = 0xffff_ffffn;

/** The fees that nodes demand. */
export interface FeeRates {
  /** microalgos: the least fee of any transaction */
  readonly leastFee: bigint;
  /** microalgos a byte of the signed transaction; zero unless the chain is busy */
  readonly feePerByte: bigint;
}

/**
 * The fee of a transaction: the network's minimum, or more by its size on a busy chain.
 * @param feeCap microalgos, as digits
 * @returns FeeAboveCap
 */
export const algorandFee = (
  { leastFee, feePerByte }: FeeRates,
  feeCap: string,
  draft: Omit<AlgorandDraft, "fee">,
): Result<bigint> => {
  const unsigned = encodeAlgorand({ ...draft, fee: LONG_FEE });
  const size = BigInt(signedAlgorand(unsigned, new Uint8Array(SIGNATURE_BYTES), undefined).length);
  const bySize = feePerByte * size;
  const fee = bySize > leastFee ? bySize : leastFee;
  return fee > BigInt(feeCap)
    ? fail(
        "FeeAboveCap",
        { fee: fee.toString(), feeCap },
        `the fee of ${fee} microalgos is above the cap of ${feeCap} microalgos`,
      )
    : ok(fee);
};

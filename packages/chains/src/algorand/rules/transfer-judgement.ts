import { fail, type JudgedTransfer, type Result, TOKEN_UNIT } from "@conclave/custody";
import { type BodyOf, judged, judgePayment, nativeJudge, transferJudgement } from "../../rules/transfers.ts";
import { isPositiveUint64, UINT64_MAX } from "../../rules/uint64.ts";
import type { AlgorandTransfer } from "./act.ts";
import { parseAlgorandAddress } from "./address.ts";
import { ALGORAND_NATIVE_ASSET } from "./native-asset.ts";

const TERMS = { parse: parseAlgorandAddress, largest: UINT64_MAX };

const judgeAsa = (body: BodyOf<"Asa">, sender: string): Result<JudgedTransfer> => {
  const { kind, assetId } = body;
  if (!isPositiveUint64(assetId)) {
    const why = `The id of an asset on Algorand is a number from 1 to ${UINT64_MAX}.`;
    return fail("TokenIdInvalid", { field: "assetId" }, why);
  }
  const payment = judgePayment(TERMS, body, sender, TOKEN_UNIT);
  // only the chain knows an asset's unit and decimals
  return payment.ok ? judged<AlgorandTransfer>({ kind, assetId, ...payment.value }, {}, assetId) : payment;
};

/** Refusals: AddressInvalid, AddressChecksum, AmountInvalid, TokenIdInvalid or TransferKindNotSupported. */
export const ALGORAND_TRANSFERS = transferJudgement({
  Native: nativeJudge(TERMS, "microalgos", ALGORAND_NATIVE_ASSET),
  Asa: judgeAsa,
});

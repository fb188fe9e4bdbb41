import {
  fail,
  type JudgedTransfer,
  ok,
  parseAmount,
  type Result,
  TOKEN_UNIT,
  unitOfCoin,
} from "@conclave/custody";
import { type BodyOf, judged, transferJudgement } from "../../rules/transfers.ts";
import type { StellarTransfer } from "./act.ts";
import { parseStellarAccount, parseStellarReceiver } from "./address.ts";
import { isStellarAssetCode, spellStellarToken } from "./asset.ts";
import { INT64_MAX } from "./int64.ts";
import { parseStellarMemo, type StellarTransferMemo } from "./memo.ts";
import { STELLAR_NATIVE_ASSET } from "./native-asset.ts";

interface Payment {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly memo?: StellarTransferMemo;
}

const judgeMemoPayment = (
  body: { readonly to: string; readonly amount: string; readonly memo?: string | undefined },
  sender: string,
  unit: string,
): Result<Payment> => {
  const to = parseStellarReceiver(body.to, "to");
  if (!to.ok) return to;
  const amount = parseAmount(body.amount, unit, INT64_MAX);
  if (!amount.ok) return amount;
  const memo = parseStellarMemo(body.memo);
  if (!memo.ok) return memo;
  if (to.value.kind === "contract" && memo.value !== undefined) {
    return fail("MemoInvalid", { field: "memo" }, "A transfer to a contract takes no memo: leave it out.");
  }
  const from = parseStellarAccount(sender, "from");
  if (!from.ok) return from;
  const said = memo.value === undefined ? {} : { memo: memo.value };
  return ok({ from: from.value, to: to.value.address, amount: amount.value, ...said });
};

const judgeNative = (body: BodyOf<"Native">, sender: string): Result<JudgedTransfer> => {
  const payment = judgeMemoPayment(body, sender, unitOfCoin("stroops", STELLAR_NATIVE_ASSET));
  return payment.ok
    ? judged<StellarTransfer>({ kind: body.kind, ...payment.value }, STELLAR_NATIVE_ASSET)
    : payment;
};

const judgeSep41 = (body: BodyOf<"Sep41">, sender: string): Result<JudgedTransfer> => {
  const { kind, assetCode } = body;
  if (!isStellarAssetCode(assetCode)) {
    const why = "The code of an asset on Stellar has 1 to 12 letters and digits.";
    return fail("TokenIdInvalid", { field: "assetCode" }, why);
  }
  const issuer = parseStellarAccount(body.issuer, "issuer");
  if (!issuer.ok) return issuer;
  const payment = judgeMemoPayment(body, sender, TOKEN_UNIT);
  if (!payment.ok) return payment;
  const token = spellStellarToken({ code: assetCode, issuer: issuer.value });
  return judged<StellarTransfer>({ kind, assetCode, issuer: issuer.value, ...payment.value }, {}, token);
};

/** Refusals: AddressInvalid, AddressChecksum, AmountInvalid, TokenIdInvalid, MemoInvalid or TransferKindNotSupported. */
export const STELLAR_TRANSFERS = transferJudgement({ Native: judgeNative, Sep41: judgeSep41 });

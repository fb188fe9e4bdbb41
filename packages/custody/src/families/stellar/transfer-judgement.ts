import { parseAmount, TOKEN_UNIT, unitOfCoin } from "../../amount.ts";
import type { TransferBody } from "../../chain-request/transfer-body.ts";
import { fail, ok, type Result } from "../../errors.ts";
import type { Network, TransferKind } from "../../network.ts";
import type { JudgedTransfer } from "../rules.ts";
import type { StellarTransfer } from "./act.ts";
import { parseStellarAccount, parseStellarReceiver } from "./address.ts";
import { isStellarAssetCode, spellStellarToken } from "./asset.ts";
import { INT64_MAX } from "./int64.ts";
import { parseStellarMemo, type StellarTransferMemo } from "./memo.ts";
import { STELLAR_NATIVE_ASSET } from "./native-asset.ts";
import type { Sep41Body } from "./transfer-body.ts";

export const STELLAR_TRANSFER_KINDS = ["Native", "Sep41"] as const satisfies readonly TransferKind[];

/** @returns AddressInvalid, AddressChecksum, AmountInvalid, TokenIdInvalid, MemoInvalid or TransferKindNotSupported */
export const judgeStellarTransfer = (
  network: Network,
  body: TransferBody,
  sender: string,
): Result<JudgedTransfer> => {
  switch (body.kind) {
    case "Native":
      return judgeNative(body, sender);
    case "Sep41":
      return judgeSep41(body, sender);
    default:
      return fail("TransferKindNotSupported", { field: "kind", network, kinds: STELLAR_TRANSFER_KINDS });
  }
};

/** The judged form is the one that the signers' strict schema takes. */
const judged = (transfer: StellarTransfer, more: Omit<JudgedTransfer, "transfer">): Result<JudgedTransfer> =>
  ok({ transfer, ...more });

interface Payment {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly memo?: StellarTransferMemo;
}

const judgePayment = (
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

const judgeNative = (
  body: Extract<TransferBody, { kind: "Native" }>,
  sender: string,
): Result<JudgedTransfer> => {
  const payment = judgePayment(body, sender, unitOfCoin("stroops", STELLAR_NATIVE_ASSET));
  if (!payment.ok) return payment;
  const transfer = { kind: body.kind, ...payment.value };
  return judged(transfer, { asset: STELLAR_NATIVE_ASSET, token: undefined });
};

const judgeSep41 = (body: Sep41Body, sender: string): Result<JudgedTransfer> => {
  const { kind, assetCode } = body;
  if (!isStellarAssetCode(assetCode)) {
    return fail(
      "TokenIdInvalid",
      { field: "assetCode" },
      "The code of an asset on Stellar has 1 to 12 letters and digits.",
    );
  }
  const issuer = parseStellarAccount(body.issuer, "issuer");
  if (!issuer.ok) return issuer;
  const payment = judgePayment(body, sender, TOKEN_UNIT);
  if (!payment.ok) return payment;
  const token = spellStellarToken({ code: assetCode, issuer: issuer.value });
  return judged({ kind, assetCode, issuer: issuer.value, ...payment.value }, { asset: {}, token });
};

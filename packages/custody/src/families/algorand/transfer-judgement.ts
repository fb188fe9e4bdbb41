import { parseAmount, TOKEN_UNIT, unitOfCoin } from "../../amount.ts";
import type { TransferBody } from "../../chain-request/transfer-body.ts";
import { fail, ok, type Result } from "../../errors.ts";
import type { Network, TransferKind } from "../../network.ts";
import { isPositiveUint64, UINT64_MAX } from "../../uint64.ts";
import type { JudgedTransfer } from "../rules.ts";
import type { AlgorandTransfer } from "./act.ts";
import { parseAlgorandAddress } from "./address.ts";
import { ALGORAND_NATIVE_ASSET } from "./native-asset.ts";
import type { AsaBody } from "./transfer-body.ts";

export const ALGORAND_TRANSFER_KINDS = ["Native", "Asa"] as const satisfies readonly TransferKind[];

/** @returns AddressInvalid, AddressChecksum, AmountInvalid, TokenIdInvalid or TransferKindNotSupported */
export const judgeAlgorandTransfer = (
  network: Network,
  body: TransferBody,
  sender: string,
): Result<JudgedTransfer> => {
  switch (body.kind) {
    case "Native":
      return judgeNative(body, sender);
    case "Asa":
      return judgeAsa(body, sender);
    default:
      return fail("TransferKindNotSupported", { field: "kind", network, kinds: ALGORAND_TRANSFER_KINDS });
  }
};

/** The judged form is the one that the signers' strict schema takes. */
const judged = (transfer: AlgorandTransfer, more: Omit<JudgedTransfer, "transfer">): Result<JudgedTransfer> =>
  ok({ transfer, ...more });

interface Payment {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
}

const judgePayment = (
  body: { readonly to: string; readonly amount: string },
  sender: string,
  unit: string,
): Result<Payment> => {
  const to = parseAlgorandAddress(body.to, "to");
  if (!to.ok) return to;
  const amount = parseAmount(body.amount, unit, UINT64_MAX);
  if (!amount.ok) return amount;
  const from = parseAlgorandAddress(sender, "from");
  return from.ok ? ok({ from: from.value, to: to.value, amount: amount.value }) : from;
};

const judgeNative = (
  body: Extract<TransferBody, { kind: "Native" }>,
  sender: string,
): Result<JudgedTransfer> => {
  const payment = judgePayment(body, sender, unitOfCoin("microalgos", ALGORAND_NATIVE_ASSET));
  if (!payment.ok) return payment;
  return judged({ kind: body.kind, ...payment.value }, { asset: ALGORAND_NATIVE_ASSET, token: undefined });
};

const judgeAsa = (body: AsaBody, sender: string): Result<JudgedTransfer> => {
  const { kind, assetId } = body;
  if (!isPositiveUint64(assetId)) {
    const why = `The id of an asset on Algorand is a number from 1 to ${UINT64_MAX}.`;
    return fail("TokenIdInvalid", { field: "assetId" }, why);
  }
  const payment = judgePayment(body, sender, TOKEN_UNIT);
  // only the chain knows an asset's unit and decimals
  return payment.ok ? judged({ kind, assetId, ...payment.value }, { asset: {}, token: assetId }) : payment;
};

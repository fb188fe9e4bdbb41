import { parseAmount, parseTokenId, TOKEN_UNIT, unitOfCoin } from "../../amount.ts";
import type { TransferBody } from "../../chain-request/transfer-body.ts";
import { fail, ok, type Result } from "../../errors.ts";
import type { Network, TransferKind } from "../../network.ts";
import type { JudgedTransfer } from "../rules.ts";
import type { TronTransfer } from "./act.ts";
import { parseTronAddress } from "./address.ts";
import { TRON_NATIVE_ASSET } from "./native-asset.ts";
import { isTrc10Id, TRON_INT64_MAX } from "./numbers.ts";
import type { Trc10Body, Trc20Body, Trc721Body } from "./transfer-body.ts";

export const TRON_TRANSFER_KINDS = [
  "Native",
  "Trc10",
  "Trc20",
  "Trc721",
] as const satisfies readonly TransferKind[];

/** @returns AddressInvalid, AddressChecksum, AmountInvalid, TokenIdInvalid or TransferKindNotSupported */
export const judgeTronTransfer = (
  network: Network,
  body: TransferBody,
  sender: string,
): Result<JudgedTransfer> => {
  switch (body.kind) {
    case "Native":
      return judgeNative(body, sender);
    case "Trc10":
      return judgeTrc10(body, sender);
    case "Trc20":
      return judgeTrc20(body, sender);
    case "Trc721":
      return judgeTrc721(body, sender);
    default:
      return fail("TransferKindNotSupported", { field: "kind", network, kinds: TRON_TRANSFER_KINDS });
  }
};

/** The judged form is the one that the signers' strict schema takes. */
const judged = (transfer: TronTransfer, more: Omit<JudgedTransfer, "transfer">): Result<JudgedTransfer> =>
  ok({ transfer, ...more });

interface Parties {
  readonly from: string;
  readonly to: string;
}

const judgeParties = (body: { readonly to: string }, sender: string): Result<Parties> => {
  const to = parseTronAddress(body.to, "to");
  if (!to.ok) return to;
  const from = parseTronAddress(sender, "from");
  return from.ok ? ok({ from: from.value, to: to.value }) : from;
};

/** Of the ledger's own coins: it takes no payment of them from an account to itself. */
const judgePayment = (
  body: { readonly to: string; readonly amount: string },
  sender: string,
  unit: string,
): Result<Parties & { readonly amount: string }> => {
  const parties = judgeParties(body, sender);
  if (!parties.ok) return parties;
  if (parties.value.from === parties.value.to) {
    const why = "TRON takes no payment of TRX or of a TRC-10 token from an account to itself.";
    return fail("AddressInvalid", { field: "to" }, why);
  }
  const amount = parseAmount(body.amount, unit, TRON_INT64_MAX);
  return amount.ok ? ok({ ...parties.value, amount: amount.value }) : amount;
};

const judgeNative = (
  body: Extract<TransferBody, { kind: "Native" }>,
  sender: string,
): Result<JudgedTransfer> => {
  const payment = judgePayment(body, sender, unitOfCoin("sun", TRON_NATIVE_ASSET));
  if (!payment.ok) return payment;
  return judged({ kind: body.kind, ...payment.value }, { asset: TRON_NATIVE_ASSET, token: undefined });
};

const judgeTrc10 = (body: Trc10Body, sender: string): Result<JudgedTransfer> => {
  const { kind, tokenId } = body;
  if (!isTrc10Id(tokenId)) {
    return fail(
      "TokenIdInvalid",
      { field: "tokenId" },
      "The id of a TRC-10 token is a number above 1000000.",
    );
  }
  const payment = judgePayment(body, sender, TOKEN_UNIT);
  // only the chain knows a token's symbol and decimals
  return payment.ok ? judged({ kind, tokenId, ...payment.value }, { asset: {}, token: tokenId }) : payment;
};

const judgeTrc20 = (body: Trc20Body, sender: string): Result<JudgedTransfer> => {
  const contract = parseTronAddress(body.contract, "contract");
  if (!contract.ok) return contract;
  const parties = judgeParties(body, sender);
  if (!parties.ok) return parties;
  const amount = parseAmount(body.amount, TOKEN_UNIT);
  if (!amount.ok) return amount;
  const token = contract.value;
  return judged(
    { kind: body.kind, contract: token, ...parties.value, amount: amount.value },
    { asset: {}, token },
  );
};

const judgeTrc721 = (body: Trc721Body, sender: string): Result<JudgedTransfer> => {
  const contract = parseTronAddress(body.contract, "contract");
  if (!contract.ok) return contract;
  const parties = judgeParties(body, sender);
  if (!parties.ok) return parties;
  const tokenId = parseTokenId(body.tokenId);
  if (!tokenId.ok) return tokenId;
  const token = contract.value;
  return judged(
    { kind: body.kind, contract: token, ...parties.value, tokenId: tokenId.value },
    { asset: {}, token },
  );
};

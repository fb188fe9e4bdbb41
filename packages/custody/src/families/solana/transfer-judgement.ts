import { parseAmount, TOKEN_UNIT, unitOfCoin } from "../../amount.ts";
import type { TransferBody } from "../../chain-request/transfer-body.ts";
import { fail, ok, type Result } from "../../errors.ts";
import type { Network, TransferKind } from "../../network.ts";
import { UINT64_MAX } from "../../uint64.ts";
import type { JudgedTransfer } from "../rules.ts";
import type { SolanaTransfer } from "./act.ts";
import { parseSolanaAddress } from "./address.ts";
import { SOLANA_NATIVE_ASSET } from "./native-asset.ts";
import { spellSolanaToken } from "./token.ts";
import type { SplBody } from "./transfer-body.ts";

export const SOLANA_TRANSFER_KINDS = ["Native", "Spl", "Spl2022"] as const satisfies readonly TransferKind[];

/** @returns AddressInvalid, AmountInvalid or TransferKindNotSupported */
export const judgeSolanaTransfer = (
  network: Network,
  body: TransferBody,
  sender: string,
): Result<JudgedTransfer> => {
  switch (body.kind) {
    case "Native":
      return judgeNative(body, sender);
    case "Spl":
    case "Spl2022":
      return judgeToken(body, sender);
    default:
      return fail("TransferKindNotSupported", { field: "kind", network, kinds: SOLANA_TRANSFER_KINDS });
  }
};

/** The judged form is the one that the signers' strict schema takes. */
const judged = (transfer: SolanaTransfer, more: Omit<JudgedTransfer, "transfer">): Result<JudgedTransfer> =>
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
  const to = parseSolanaAddress(body.to, "to");
  if (!to.ok) return to;
  const amount = parseAmount(body.amount, unit, UINT64_MAX);
  if (!amount.ok) return amount;
  const from = parseSolanaAddress(sender, "from");
  return from.ok ? ok({ from: from.value, to: to.value, amount: amount.value }) : from;
};

const judgeNative = (
  body: Extract<TransferBody, { kind: "Native" }>,
  sender: string,
): Result<JudgedTransfer> => {
  const payment = judgePayment(body, sender, unitOfCoin("lamports", SOLANA_NATIVE_ASSET));
  if (!payment.ok) return payment;
  return judged({ kind: body.kind, ...payment.value }, { asset: SOLANA_NATIVE_ASSET, token: undefined });
};

const judgeToken = (body: SplBody, sender: string): Result<JudgedTransfer> => {
  const { kind, createDestinationAccount = false } = body;
  const mint = parseSolanaAddress(body.mint, "mint");
  if (!mint.ok) return mint;
  const payment = judgePayment(body, sender, TOKEN_UNIT);
  if (!payment.ok) return payment;
  // only the chain knows a token's symbol and decimals
  return judged(
    { kind, mint: mint.value, ...payment.value, createDestinationAccount },
    { asset: {}, token: spellSolanaToken({ kind, mint: mint.value }) },
  );
};

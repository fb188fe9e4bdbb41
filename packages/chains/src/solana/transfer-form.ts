import type { SolanaInstruction } from "./message/instruction.ts";
import { type RequestMemo, requestMemo } from "./request-tag.ts";
import type { SolanaTransfer } from "./rules/act.ts";
import { associatedAccount } from "./token/associated-account.ts";
import type { SolanaDraft } from "./transaction.ts";

/** The fields of a transfer's transaction that nobody authorises: its builder chooses them. */
export interface TransferFrame {
  readonly blockhash: string;
  readonly memo: RequestMemo;
  /** limit of compute units */
  readonly units: number;
  /** micro-lamports a unit; undefined: no priority fee */
  readonly price: bigint | undefined;
  /** of the token; 0 if none moves */
  readonly decimals: number;
  /** whether it creates the recipient's token account */
  readonly creates: boolean;
}

/**
 * The canonical transaction of a transfer in a frame. Its memo comes right before the payment: accounts that require a memo
 * (Token-2022, "Required Memo on Transfer") check the instruction before it.
 */
export const transferDraft = (transfer: SolanaTransfer, frame: TransferFrame): SolanaDraft => {
  const { from } = transfer;
  const { price } = frame;
  const instructions: readonly SolanaInstruction[] = [
    { kind: "computeLimit", units: frame.units },
    ...(price === undefined ? [] : [{ kind: "computePrice" as const, price }]),
    ...creationOf(transfer, frame),
    { kind: "memo", text: requestMemo(frame.memo) },
    paymentOf(transfer, frame.decimals),
  ];
  return { from, blockhash: frame.blockhash, instructions };
};

const creationOf = (transfer: SolanaTransfer, { creates }: TransferFrame): readonly SolanaInstruction[] => {
  if (transfer.kind === "Native" || !creates) return [];
  const { kind: token, from: payer, to: owner, mint } = transfer;
  return [{ kind: "creation", token, payer, owner, mint, idempotent: true }];
};

const paymentOf = (transfer: SolanaTransfer, decimals: number): SolanaInstruction => {
  const { from, to } = transfer;
  const amount = BigInt(transfer.amount);
  if (transfer.kind === "Native") return { kind: "payment", from, to, amount };
  const { kind: token, mint } = transfer;
  const destination = associatedAccount({ kind: token, mint }, to);
  return { kind: "tokenPayment", token, mint, from, destination, amount, decimals };
};

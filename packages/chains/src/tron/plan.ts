import { type Act, ok, type Result, type TronTransfer } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import type { TronContract } from "./contract.ts";
import { parseTronTransaction, parseTronTransfer } from "./parse-content.ts";
import { type RequestTag, tronTagOf } from "./request-tag.ts";
import { decodeTron, type TronDraft } from "./transaction.ts";

/** The plan to build: a contract in a frame of the moment, or given bytes. */
export type TronPlan =
  | { readonly kind: "contract"; readonly contract: TronContract; readonly tag: RequestTag }
  | {
      readonly kind: "exact";
      readonly contract: TronContract;
      readonly unsigned: Uint8Array;
      readonly draft: TronDraft;
    };

/** The contract that a transfer stands for. */
export const tronContractOf = (transfer: TronTransfer): TronContract => {
  const { from, to } = transfer;
  switch (transfer.kind) {
    case "Native":
      return { type: "TransferContract", from, to, amount: BigInt(transfer.amount) };
    case "Trc10": {
      const { tokenId, amount } = transfer;
      return { type: "TransferAssetContract", from, to, tokenId, amount: BigInt(amount) };
    }
    case "Trc20": {
      const call = { function: "transfer", to, amount: BigInt(transfer.amount) } as const;
      return { type: "TriggerSmartContract", from, contract: transfer.contract, call };
    }
    case "Trc721": {
      const tokenId = BigInt(transfer.tokenId);
      const call = { function: "safeTransferFrom", owner: from, to, tokenId } as const;
      return { type: "TriggerSmartContract", from, contract: transfer.contract, call };
    }
  }
};

/** @returns TransactionMismatch, TransactionUnreadable for what is authorised and cannot be read */
export const tronPlan = (act: Act): Result<TronPlan> => {
  if (act.kind === "transfer") {
    const transfer = parseTronTransfer(act.transfer);
    if (!transfer.ok) return transfer;
    return ok({
      kind: "contract",
      contract: tronContractOf(transfer.value),
      tag: tronTagOf(act.requestId),
    });
  }
  const transaction = parseTronTransaction(act.transaction);
  if (!transaction.ok) return transaction;
  const unsigned = hexToBytes(transaction.value.unsigned);
  const decoded = decodeTron(unsigned);
  return decoded.ok
    ? ok({ kind: "exact", contract: decoded.value.contract, unsigned, draft: decoded.value })
    : decoded;
};

/** The receiver of a contract's movement. */
export const recipientOf = (contract: TronContract): string =>
  contract.type === "TriggerSmartContract" ? contract.call.to : contract.to;

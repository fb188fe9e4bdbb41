import { type Act, ok, type Result } from "@conclave/custody";
import { TRON_CONTENT } from "./content.ts";
import type { TronContract } from "./contract.ts";
import { type RequestTag, tronTagOf } from "./request-tag.ts";
import type { TronTransfer } from "./rules/act.ts";
import type { TronDraft } from "./transaction.ts";

/** The plan to build: a contract, whose frame the builder chooses, or given bytes. */
export type TronPlan =
  | { readonly kind: "contract"; readonly contract: TronContract; readonly tag: RequestTag }
  | {
      readonly kind: "exact";
      readonly contract: TronContract;
      readonly unsigned: Uint8Array;
      readonly draft: TronDraft;
    };

/** The contract that carries out a transfer. */
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

/** @returns TransactionMismatch, or TransactionUnreadable when the authorised content cannot be read */
export const tronPlan = (act: Act): Result<TronPlan> => {
  const asked = TRON_CONTENT.askedOf(act);
  if (!asked.ok) return asked;
  if (asked.value.kind === "exact") return ok({ ...asked.value, contract: asked.value.draft.contract });
  const { transfer, requestId } = asked.value;
  return ok({ kind: "contract", contract: tronContractOf(transfer), tag: tronTagOf(requestId) });
};

/** The receiver of a contract's payment. */
export const recipientOf = (contract: TronContract): string =>
  contract.type === "TriggerSmartContract" ? contract.call.to : contract.to;

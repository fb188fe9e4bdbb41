import { type Effects, type Movement, moves, NATIVE_ASSET } from "@conclave/custody";
import type { TronContract } from "./contract.ts";
import { recipientOf } from "./plan.ts";

/** A non-fungible token moves with an unknown amount: it has no price by the unit. */
const movedBy = (contract: TronContract): Omit<Movement, "recipient"> => {
  switch (contract.type) {
    case "TransferContract":
      return { asset: NATIVE_ASSET, amount: contract.amount.toString() };
    case "TransferAssetContract":
      return { asset: contract.tokenId, amount: contract.amount.toString() };
    case "TriggerSmartContract": {
      const { call } = contract;
      const amount = call.function === "transfer" ? call.amount.toString() : undefined;
      return { asset: contract.contract, amount };
    }
  }
};

/** The effects of a contract, as of a transfer or in a decoded transaction. */
export const effectsOfTronContract = (contract: TronContract): Effects =>
  moves({ ...movedBy(contract), recipient: recipientOf(contract) });

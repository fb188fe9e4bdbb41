import { type Effects, type Movement, moves, NATIVE_ASSET } from "@conclave/custody";
import type { TronContract } from "./contract.ts";
import { recipientOf } from "./plan.ts";

/** The moved asset. For a non-fungible token the amount is unknown, because its price does not depend on a number of units. */
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

/** The effects of a contract, from a transfer or from a decoded transaction. */
export const effectsOfTronContract = (contract: TronContract): Effects =>
  moves({ ...movedBy(contract), recipient: recipientOf(contract) });

import {
  type Effects,
  type FamilyContent,
  type Movement,
  moves,
  NATIVE_ASSET,
  opaque,
  tronTransferSchema,
} from "@conclave/custody";
import type { TronContract } from "./contract.ts";
import { givenTronBytes } from "./parse-content.ts";
import { recipientOf, tronContractOf } from "./plan.ts";
import { decodeTron } from "./transaction.ts";

/** The effects of a request, for policies to judge. Of a caller's own bytes the fee limit counts as well: they fix it.
 * @param isKnown whether any chain is known that the transaction is for: the bytes name it by eight bytes of a
 * block's hash
 */
export const effectsOfTron = (isKnown: boolean, content: FamilyContent): Effects => {
  const transfer = tronTransferSchema.safeParse(content);
  if (transfer.success) return effectsOfTronContract(tronContractOf(transfer.data));
  const given = givenTronBytes(content);
  if (given === undefined) return opaque("the request cannot be read");
  if (!isKnown) return opaque("no chain is known that the transaction is for");
  const decoded = decodeTron(given);
  if (!decoded.ok) return opaque(decoded.problem.message);
  return { ...effectsOfTronContract(decoded.value.contract), fee: decoded.value.feeLimit.toString() };
};

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

/** The effects of a decoded transaction. */
export const effectsOfTronContract = (contract: TronContract): Effects =>
  moves({ ...movedBy(contract), recipient: recipientOf(contract) });

import { z } from "zod";
import type { TransferBody } from "../../chain-request/transfer-body.ts";
import type { Asset } from "../../network.ts";
import {
  fungible,
  heldToken,
  type MovementOf,
  movementFields,
  type TokenOf,
  tokenMovement,
} from "../view-fields.ts";
import { checksumEvmAddress } from "./address.ts";

const contract = z.string();

export const erc20HeldSchema = heldToken("Erc20", { contract });
export type EvmTokenView = TokenOf<z.infer<typeof erc20HeldSchema>>;

export const erc20EventSchema = tokenMovement("Erc20Transfer", { contract });
export const erc721EventSchema = z.object({
  kind: z.literal("Erc721Transfer"),
  contract,
  tokenId: z.string(),
  ...movementFields,
});
export type EvmMovementView = MovementOf<z.infer<typeof erc20EventSchema | typeof erc721EventSchema>>;

/** @param contract in any case */
export const evmTokenView = (contract: string): EvmTokenView => ({
  kind: "Erc20",
  contract: checksumEvmAddress(contract),
});

export const evmMovementView = (body: TransferBody, asset: Asset): EvmMovementView | undefined => {
  if (body.kind === "Erc721") {
    return { kind: "Erc721Transfer", contract: body.contract, tokenId: body.tokenId };
  }
  if (body.kind !== "Erc20") return undefined;
  return { kind: "Erc20Transfer", contract: body.contract, ...fungible(body.amount, asset) };
};

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
import { isTrc10Id } from "./numbers.ts";

const contract = z.string();
const tokenId = z.string();

/** of TRON's own ledger */
export const trc10HeldSchema = heldToken("Trc10", { tokenId });
/** of a contract */
export const trc20HeldSchema = heldToken("Trc20", { contract });
export type TronTokenView = TokenOf<z.infer<typeof trc10HeldSchema | typeof trc20HeldSchema>>;

export const trc10EventSchema = tokenMovement("Trc10Transfer", { tokenId });
export const trc20EventSchema = tokenMovement("Trc20Transfer", { contract });
export const trc721EventSchema = z.object({
  kind: z.literal("Trc721Transfer"),
  contract,
  tokenId,
  ...movementFields,
});
export type TronMovementView = MovementOf<
  z.infer<typeof trc10EventSchema | typeof trc20EventSchema | typeof trc721EventSchema>
>;

/** @param token a contract's address, or the id of a TRC-10 token */
export const tronTokenView = (token: string): TronTokenView =>
  isTrc10Id(token) ? { kind: "Trc10", tokenId: token } : { kind: "Trc20", contract: token };

export const tronMovementView = (body: TransferBody, asset: Asset): TronMovementView | undefined => {
  switch (body.kind) {
    case "Trc10":
      return { kind: "Trc10Transfer", tokenId: body.tokenId, ...fungible(body.amount, asset) };
    case "Trc20":
      return { kind: "Trc20Transfer", contract: body.contract, ...fungible(body.amount, asset) };
    case "Trc721":
      return { kind: "Trc721Transfer", contract: body.contract, tokenId: body.tokenId };
    default:
      return undefined;
  }
};

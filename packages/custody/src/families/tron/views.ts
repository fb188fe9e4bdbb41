import { z } from "zod";
import type { TransferBody } from "../../chain-request/transfer-body.ts";
import type { Asset } from "../../network.ts";
import {
  fungible,
  fungibleFields,
  heldFields,
  type MovementOf,
  movementFields,
  type TokenOf,
} from "../view-fields.ts";
import { isTrc10Id } from "./numbers.ts";

const contract = z.string();
const tokenId = z.string();

/** of TRON's own ledger */
export const trc10HeldSchema = z.object({ kind: z.literal("Trc10"), tokenId, ...heldFields });
/** of a contract */
export const trc20HeldSchema = z.object({ kind: z.literal("Trc20"), contract, ...heldFields });
export type TronTokenView = TokenOf<z.infer<typeof trc10HeldSchema | typeof trc20HeldSchema>>;

export const trc10EventSchema = z.object({
  kind: z.literal("Trc10Transfer"),
  tokenId,
  ...movementFields,
  ...fungibleFields,
});
export const trc20EventSchema = z.object({
  kind: z.literal("Trc20Transfer"),
  contract,
  ...movementFields,
  ...fungibleFields,
});
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

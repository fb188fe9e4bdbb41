import { z } from "zod";
import type { TransferBody } from "../../chain-request/transfer-body.ts";
import type { Asset } from "../../network.ts";
import { fungible, heldToken, type MovementOf, type TokenOf, tokenMovement } from "../view-fields.ts";

const assetId = z.string();

export const asaHeldSchema = heldToken("Asa", { assetId });
export type AlgorandTokenView = TokenOf<z.infer<typeof asaHeldSchema>>;

export const asaEventSchema = tokenMovement("AsaTransfer", { assetId });
export type AlgorandMovementView = MovementOf<z.infer<typeof asaEventSchema>>;

export const algorandTokenView = (assetId: string): AlgorandTokenView => ({ kind: "Asa", assetId });

export const algorandMovementView = (body: TransferBody, asset: Asset): AlgorandMovementView | undefined =>
  body.kind === "Asa"
    ? { kind: "AsaTransfer", assetId: body.assetId, ...fungible(body.amount, asset) }
    : undefined;

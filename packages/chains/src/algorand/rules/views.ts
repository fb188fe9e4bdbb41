import {
  type Asset,
  fungible,
  type MovementView,
  type TokenView,
  type TransferBody,
} from "@conclave/custody";

export const algorandTokenView = (assetId: string): TokenView => ({ kind: "Asa", assetId });

export const algorandMovementView = (body: TransferBody, asset: Asset): MovementView | undefined =>
  body.kind === "Asa"
    ? { kind: "AsaTransfer", assetId: body.assetId, ...fungible(body.amount, asset) }
    : undefined;

/** The id of the asset that a transfer moves; undefined for the native coin. */
export const algorandTokenOf = (moved: TransferBody): string | undefined =>
  moved.kind === "Asa" ? moved.assetId : undefined;

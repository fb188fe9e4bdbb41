import type { TransferBody } from "../../chain-request/transfer-body.ts";
import type { Asset } from "../../network.ts";

/** An Algorand standard asset. */
export interface AlgorandTokenView {
  readonly kind: "Asa";
  readonly assetId: string;
}

/** A transfer of one in a wallet's history (wire interface, section F.8). */
export interface AlgorandMovementView {
  readonly kind: "AsaTransfer";
  readonly assetId: string;
  /** in the smallest unit, as digits */
  readonly value: string;
  readonly symbol?: string;
  readonly decimals?: number;
}

export const algorandTokenView = (assetId: string): AlgorandTokenView => ({ kind: "Asa", assetId });

export const algorandMovementView = (
  body: TransferBody,
  { symbol, decimals }: Asset,
): AlgorandMovementView | undefined =>
  body.kind === "Asa"
    ? {
        kind: "AsaTransfer",
        assetId: body.assetId,
        value: body.amount,
        ...(symbol === undefined ? {} : { symbol }),
        ...(decimals === undefined ? {} : { decimals }),
      }
    : undefined;

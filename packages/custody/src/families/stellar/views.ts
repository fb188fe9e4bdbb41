import type { TransferBody } from "../../chain-request/transfer-body.ts";
import type { Asset } from "../../network.ts";
import { parseStellarToken } from "./asset.ts";
import { STELLAR_DECIMALS } from "./native-asset.ts";

/** An asset of Stellar's own ledger. */
export interface StellarTokenView {
  readonly kind: "Sep41";
  readonly assetCode: string;
  readonly issuer: string;
}

/** A transfer of one in a wallet's history (wire interface, section F.8). */
export interface StellarMovementView {
  readonly kind: "Sep41Transfer";
  readonly assetCode: string;
  readonly issuer: string;
  /** in the smallest unit, as digits */
  readonly value: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** @throws TypeError for anything but the spelling of an asset */
export const stellarTokenView = (token: string): StellarTokenView => {
  const asset = parseStellarToken(token);
  if (asset === undefined) throw new TypeError("a token of Stellar is spelt CODE:ISSUER");
  return { kind: "Sep41", assetCode: asset.code, issuer: asset.issuer };
};

export const stellarMovementView = (
  body: TransferBody,
  { symbol, decimals }: Asset,
): StellarMovementView | undefined =>
  body.kind === "Sep41"
    ? {
        kind: "Sep41Transfer",
        assetCode: body.assetCode,
        issuer: body.issuer,
        value: body.amount,
        symbol: symbol ?? body.assetCode,
        decimals: decimals ?? STELLAR_DECIMALS,
      }
    : undefined;

import type { Asset, MovementView, TokenView, TransferBody } from "@conclave/custody";
import { parseStellarToken, spellStellarToken } from "./asset.ts";
import { STELLAR_DECIMALS } from "./native-asset.ts";

/** @throws TypeError for anything but the spelling of an asset */
export const stellarTokenView = (token: string): TokenView => {
  const asset = parseStellarToken(token);
  if (asset === undefined) throw new TypeError("a token of Stellar is spelt CODE:ISSUER");
  return { kind: "Sep41", assetCode: asset.code, issuer: asset.issuer };
};

export const stellarMovementView = (
  body: TransferBody,
  { symbol, decimals }: Asset,
): MovementView | undefined =>
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

/** The spelling of the asset that a transfer moves; undefined for the native coin. */
export const stellarTokenOf = (moved: TransferBody): string | undefined =>
  moved.kind === "Sep41" ? spellStellarToken({ code: moved.assetCode, issuer: moved.issuer }) : undefined;

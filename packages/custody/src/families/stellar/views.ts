import { z } from "zod";
import type { TransferBody } from "../../chain-request/transfer-body.ts";
import type { Asset } from "../../network.ts";
import { eventMemo, heldToken, type MovementOf, type TokenOf, tokenMovement } from "../view-fields.ts";
import { parseStellarToken } from "./asset.ts";
import { STELLAR_DECIMALS } from "./native-asset.ts";

const named = { assetCode: z.string(), issuer: z.string() };

/** of Stellar's own ledger */
export const sep41HeldSchema = heldToken("Sep41", named);
export type StellarTokenView = TokenOf<z.infer<typeof sep41HeldSchema>>;

export const sep41EventSchema = tokenMovement("Sep41Transfer", named).extend(eventMemo);
export type StellarMovementView = MovementOf<z.infer<typeof sep41EventSchema>>;

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

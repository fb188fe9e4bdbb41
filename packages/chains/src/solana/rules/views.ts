import {
  type Asset,
  fungible,
  type MovementView,
  type TokenView,
  type TransferBody,
} from "@conclave/custody";
import { parseSolanaToken, spellSolanaToken } from "./token.ts";

/** @throws TypeError for anything but the spelling of a token */
export const solanaTokenView = (text: string): TokenView => {
  const token = parseSolanaToken(text);
  if (token === undefined) throw new TypeError("a token of Solana is spelt KIND:MINT");
  return token;
};

export const solanaMovementView = (body: TransferBody, asset: Asset): MovementView | undefined =>
  body.kind === "Spl" || body.kind === "Spl2022"
    ? { kind: `${body.kind}Transfer`, mint: body.mint, ...fungible(body.amount, asset) }
    : undefined;

/** The spelling of the token that a transfer moves; undefined for the native coin. */
export const solanaTokenOf = (moved: TransferBody): string | undefined =>
  "mint" in moved ? spellSolanaToken(moved) : undefined;

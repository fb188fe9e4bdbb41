import type { TransferBody } from "../../chain-request/transfer-body.ts";
import type { Asset } from "../../network.ts";
import { parseSolanaToken, type SolanaTokenKind } from "./token.ts";

/** A token of one of Solana's two token programs. */
export interface SolanaTokenView {
  readonly kind: SolanaTokenKind;
  readonly mint: string;
}

/** A transfer of one in a wallet's history (wire interface, section F.8). */
export interface SolanaMovementView {
  readonly kind: "SplTransfer" | "Spl2022Transfer";
  readonly mint: string;
  /** in the smallest unit, as digits */
  readonly value: string;
  readonly symbol?: string;
  readonly decimals?: number;
}

/** @throws TypeError for anything but the spelling of a token */
export const solanaTokenView = (text: string): SolanaTokenView => {
  const token = parseSolanaToken(text);
  if (token === undefined) throw new TypeError("a token of Solana is spelt KIND:MINT");
  return token;
};

export const solanaMovementView = (
  body: TransferBody,
  { symbol, decimals }: Asset,
): SolanaMovementView | undefined =>
  body.kind === "Spl" || body.kind === "Spl2022"
    ? {
        kind: `${body.kind}Transfer`,
        mint: body.mint,
        value: body.amount,
        ...(symbol === undefined ? {} : { symbol }),
        ...(decimals === undefined ? {} : { decimals }),
      }
    : undefined;

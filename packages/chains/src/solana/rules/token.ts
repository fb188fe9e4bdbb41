import { parseSolanaAddress } from "./address.ts";

/** The program that holds a token: Token, or Token-2022. */
export type SolanaTokenKind = "Spl" | "Spl2022";

export interface SolanaToken {
  readonly kind: SolanaTokenKind;
  /** address of the account that describes the token */
  readonly mint: string;
}

/** A token in one text, KIND:MINT, as policies name it. */
export const spellSolanaToken = ({ kind, mint }: SolanaToken): string => `${kind}:${mint}`;

/** @returns undefined for anything but the spelling of a token */
export const parseSolanaToken = (text: string): SolanaToken | undefined => {
  const [kind, mint = "", ...more] = text.split(":");
  const isToken = (kind === "Spl" || kind === "Spl2022") && more.length === 0;
  return isToken && parseSolanaAddress(mint, "mint").ok ? { kind, mint } : undefined;
};

import { parseStellarAccount } from "./address.ts";

/** 1 to 4 characters, or 5 to 12 (Stellar documentation, "Assets"). */
const CODE = /^[a-zA-Z0-9]{1,12}$/;

/** An asset of Stellar's own ledger, named by its issuer's account and its code. */
export interface StellarToken {
  readonly code: string;
  readonly issuer: string;
}

export const isStellarAssetCode = (text: string): boolean => CODE.test(text);

/** The one spelling of an asset, as in SEP-11: `USDC:GA5Z…`. */
export const spellStellarToken = ({ code, issuer }: StellarToken): string => `${code}:${issuer}`;

/** Reads the spelling `CODE:ISSUER`. @returns undefined for any other text */
export const parseStellarToken = (text: string): StellarToken | undefined => {
  const [code = "", issuer = "", ...more] = text.split(":");
  const isToken = isStellarAssetCode(code) && more.length === 0 && parseStellarAccount(issuer, "issuer").ok;
  return isToken ? { code, issuer } : undefined;
};

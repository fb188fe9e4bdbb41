import { type Asset, ok, type Result } from "@conclave/custody";
import { parseStellarToken } from "../rules/asset.ts";
import { STELLAR_DECIMALS } from "../rules/native-asset.ts";
import { stellarAccountOf } from "./accounts.ts";
import type { StellarRest } from "./rest.ts";

const tokenIn = (text: string) => {
  const token = parseStellarToken(text);
  if (token === undefined) throw new TypeError("an asset of Stellar is spelt CODE:ISSUER");
  return token;
};

/** Stroops, including the minimum balance; zero if the account does not exist. */
export const stroopsOf = async (rest: StellarRest, owner: string): Promise<Result<bigint>> => {
  const account = await stellarAccountOf(rest, owner);
  return account.ok ? ok(account.value?.balance ?? 0n) : account;
};

/**
 * The balance of an account in an asset.
 *
 * @returns undefined if the asset does not exist, because its issuer does not
 */
export const trustedBalance = async (
  rest: StellarRest,
  owner: string,
  spelt: string,
): Promise<Result<bigint | undefined>> => {
  const { issuer } = tokenIn(spelt);
  const account = await stellarAccountOf(rest, owner);
  if (!account.ok) return account;
  const line = account.value?.trustlines.find(({ token }) => token === spelt);
  if (line !== undefined) return ok(line.balance);
  const made = await stellarAccountOf(rest, issuer);
  if (!made.ok) return made;
  return ok(made.value === undefined ? undefined : 0n);
};

/** The metadata in an asset's name, which is unverified. */
export const describeStellarToken = (spelt: string): Asset => ({
  symbol: tokenIn(spelt).code,
  decimals: STELLAR_DECIMALS,
  verified: false,
});

import { type Asset, isPlainText, ok, type Result } from "@conclave/custody";
import { bytesToHex, bytesToNumberBE } from "@noble/curves/utils.js";
import { z } from "zod";
import { addressWord, numberWord, wordAddress } from "../call.ts";
import { parseTronAddress } from "../rules/address.ts";
import { tronAccountState } from "./account.ts";
import { count } from "./blocks.ts";
import { findTron, type TronHttp, textInHex } from "./http.ts";
import { type CallToTry, tryTronCall } from "./try-call.ts";

const SYMBOL_LENGTH = 32;
const WORD_BYTES = 32;
const DECIMALS_MAX = 255n;
const TOKEN_ID = /^[1-9][0-9]{0,18}$/;

const tokenSchema = z.object({
  abbr: z.string().default(""),
  precision: count.refine((places) => places <= DECIMALS_MAX),
});

/** The result of a contract's function; undefined if it reverts, or there is no contract, which is no outage. */
const returnedBy = async (http: TronHttp, call: CallToTry): Promise<Result<Uint8Array | undefined>> => {
  const tried = await tryTronCall(http, call);
  if (!tried.ok) return tried;
  return ok(tried.value.kind === "passed" ? tried.value.returned : undefined);
};

const wordIn = (returned: Uint8Array | undefined): bigint | undefined =>
  returned?.length === WORD_BYTES ? bytesToNumberBE(returned) : undefined;

/** Sun. An account without payments has none. */
export const sunOf = async (http: TronHttp, owner: string): Promise<Result<bigint>> => {
  const account = await tronAccountState(http, owner);
  return account.ok ? ok(account.value?.balance ?? 0n) : account;
};

/** The balance of an account in a TRC-20 token; undefined if there is no such contract. */
export const trc20Balance = async (
  http: TronHttp,
  owner: string,
  contract: string,
): Promise<Result<bigint | undefined>> => {
  const parameter = bytesToHex(addressWord(owner));
  const returned = await returnedBy(http, { contract, selector: "balanceOf(address)", parameter });
  return returned.ok ? ok(wordIn(returned.value)) : returned;
};

const trc10Of = (http: TronHttp, tokenId: string) =>
  findTron(http, { path: "/wallet/getassetissuebyid", body: { value: tokenId }, schema: tokenSchema });

const trc10Balance = async (
  http: TronHttp,
  owner: string,
  tokenId: string,
): Promise<Result<bigint | undefined>> => {
  const account = await tronAccountState(http, owner);
  if (!account.ok) return account;
  const held = account.value?.tokens.get(tokenId);
  if (held !== undefined) return ok(held);
  const token = await trc10Of(http, tokenId);
  if (!token.ok) return token;
  return ok(token.value === undefined ? undefined : 0n);
};

/** The balance of an account in a token, by its contract or its id; undefined if there is no such token. */
export const tronTokenBalance = (
  http: TronHttp,
  owner: string,
  token: string,
): Promise<Result<bigint | undefined>> =>
  TOKEN_ID.test(token) ? trc10Balance(http, owner, token) : trc20Balance(http, owner, contractIn(token));

/** The owner of a TRC-721 token; undefined if it has none, or there is no such contract. */
export const trc721Owner = async (
  http: TronHttp,
  contract: string,
  tokenId: bigint,
): Promise<Result<string | undefined>> => {
  const parameter = bytesToHex(numberWord(tokenId));
  const returned = await returnedBy(http, { contract, selector: "ownerOf(uint256)", parameter });
  if (!returned.ok) return returned;
  return ok(returned.value === undefined ? undefined : wordAddress(returned.value));
};

/** @throws TypeError for an invalid token */
const contractIn = (text: string): string => {
  const contract = parseTronAddress(text, "contract");
  if (!contract.ok) throw new TypeError("a token is named by its contract or its id");
  return contract.value;
};

const shown = (symbol: string | undefined): { readonly symbol?: string } =>
  symbol !== undefined && symbol.length > 0 && symbol.length <= SYMBOL_LENGTH && isPlainText(symbol)
    ? { symbol }
    : {};

/** An ABI string, which follows its offset and length; tokens from before the standard return 32 bytes instead. */
const stringIn = (returned: Uint8Array | undefined): string | undefined => {
  if (returned === undefined) return undefined;
  if (returned.length === WORD_BYTES) return Buffer.from(returned).toString("utf8").replace(/\0+$/, "");
  const length = Number(bytesToNumberBE(returned.slice(WORD_BYTES, 2 * WORD_BYTES)));
  const text = returned.slice(2 * WORD_BYTES, 2 * WORD_BYTES + length);
  return text.length === length ? Buffer.from(text).toString("utf8") : undefined;
};

const describeContract = async (http: TronHttp, contract: string): Promise<Result<Asset>> => {
  const [symbol, decimals] = await Promise.all([
    returnedBy(http, { contract, selector: "symbol()", parameter: "" }),
    returnedBy(http, { contract, selector: "decimals()", parameter: "" }),
  ]);
  if (!symbol.ok) return symbol;
  if (!decimals.ok) return decimals;
  const places = wordIn(decimals.value);
  const named = shown(stringIn(symbol.value));
  const divided = places !== undefined && places <= DECIMALS_MAX ? { decimals: Number(places) } : {};
  const said = { ...named, ...divided };
  return ok(Object.keys(said).length === 0 ? {} : { ...said, verified: false });
};

/** A token's own metadata, which is unverified. */
export const describeTronToken = async (http: TronHttp, token: string): Promise<Result<Asset>> => {
  if (!TOKEN_ID.test(token)) return describeContract(http, contractIn(token));
  const found = await trc10Of(http, token);
  if (!found.ok) return found;
  if (found.value === undefined) return ok({});
  const { abbr, precision } = found.value;
  return ok({ ...shown(textInHex(abbr)), decimals: Number(precision), verified: false });
};

/** Whether a contract is itself a token, or one of shares: it has a total supply and balances. */
export const isTronToken = async (http: TronHttp, contract: string): Promise<Result<boolean>> => {
  const [supply, balance] = await Promise.all([
    returnedBy(http, { contract, selector: "totalSupply()", parameter: "" }),
    trc20Balance(http, contract, contract),
  ]);
  if (!supply.ok) return supply;
  if (!balance.ok) return balance;
  return ok(wordIn(supply.value) !== undefined && balance.value !== undefined);
};

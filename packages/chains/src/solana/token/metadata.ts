import { bytesToNumberLE } from "@noble/curves/utils.js";
import { extensionsIn } from "./extensions.ts";
import { MINT_BYTES } from "./mint.ts";

/** The Token-2022 extension "TokenMetadata": update authority and mint, then name, symbol and URI as strings. */
const TOKEN_METADATA = 19;
const TEXTS_AT = 64;
const LENGTH_BYTES = 4;

/**
 * The symbol that a token declares (spl-token-metadata-interface, state::TokenMetadata).
 * @param data of the token's account
 * @returns undefined if it declares none
 */
export const tokenSymbol = (data: Uint8Array): string | undefined => {
  const metadata = extensionsIn(data, MINT_BYTES, "mint")?.find(({ type }) => type === TOKEN_METADATA)?.value;
  if (metadata === undefined) return undefined;
  const name = textAt(metadata, TEXTS_AT);
  const symbol = name && textAt(metadata, name.end);
  return symbol?.text;
};

/** A string after its length in bytes. */
const textAt = (
  bytes: Uint8Array,
  at: number,
): { readonly text: string; readonly end: number } | undefined => {
  const begin = at + LENGTH_BYTES;
  if (begin > bytes.length) return undefined;
  const end = begin + Number(bytesToNumberLE(bytes.slice(at, begin)));
  if (end > bytes.length) return undefined;
  return { text: new TextDecoder().decode(bytes.slice(begin, end)), end };
};

import { bytesToNumberLE } from "@noble/curves/utils.js";
import { extensionsIn } from "./extensions.ts";
import { MINT_BYTES } from "./mint.ts";

/** An extension of Token-2022, "TokenMetadata": update authority and mint, then name, symbol and address as texts. */
const TOKEN_METADATA = 19;
const TEXTS_AT = 64;
const LENGTH_BYTES = 4;

/**
 * The symbol that a token gives itself (spl-token-metadata-interface, state::TokenMetadata).
 * @param data of the token's account
 * @returns undefined where it gives none
 */
export const tokenSymbol = (data: Uint8Array): string | undefined => {
  const metadata = extensionsIn(data, MINT_BYTES, "mint")?.find(({ type }) => type === TOKEN_METADATA)?.value;
  if (metadata === undefined) return undefined;
  const name = textAt(metadata, TEXTS_AT);
  const symbol = name && textAt(metadata, name.end);
  return symbol?.text;
};

/** A text behind its length in bytes. */
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

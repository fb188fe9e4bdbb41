import { bytesToNumberLE, equalBytes } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { SOLANA_TOKEN_METADATA_PROGRAM } from "../message/programs.ts";
import { solanaPublicKey } from "../rules/address.ts";
import { extensionsIn } from "./extensions.ts";
import { MINT_BYTES } from "./mint.ts";
import { programAddress } from "./program-address.ts";

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
  return metadata === undefined ? undefined : secondText(metadata, TEXTS_AT);
};

/** Metaplex's account: its kind, the update authority and the mint, then name, symbol and URI as strings. */
const METADATA_V1 = 4;
const METADATA_MINT_AT = 33;
const METADATA_TEXTS_AT = 65;

/** The address of the account that describes a token (mpl-token-metadata, Metadata::find_pda). */
export const metadataAccount = (mint: string): string =>
  programAddress(SOLANA_TOKEN_METADATA_PROGRAM, [
    utf8ToBytes("metadata"),
    solanaPublicKey(SOLANA_TOKEN_METADATA_PROGRAM),
    solanaPublicKey(mint),
  ]);

/**
 * The symbol of a token in its metadata account (mpl-token-metadata, Metadata). The program pads texts with zero bytes.
 * @param account at `metadataAccount(mint)`
 * @returns undefined if the account is no such description of this token
 */
export const describedSymbol = (
  account: { readonly program: string; readonly data: Uint8Array },
  mint: string,
): string | undefined => {
  const { program, data } = account;
  if (program !== SOLANA_TOKEN_METADATA_PROGRAM || data[0] !== METADATA_V1) return undefined;
  if (!equalBytes(data.slice(METADATA_MINT_AT, METADATA_TEXTS_AT), solanaPublicKey(mint))) return undefined;
  return secondText(data, METADATA_TEXTS_AT)?.replace(/\0+$/, "");
};

const secondText = (bytes: Uint8Array, at: number): string | undefined => {
  const first = textAt(bytes, at);
  return first && textAt(bytes, first.end)?.text;
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

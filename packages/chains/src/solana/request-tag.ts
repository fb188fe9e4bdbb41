import { bytesToHex } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

const DOMAIN = "conclave solana tag ";
const TAG_BYTES = 16;

/** The memo in each transaction that the service builds. */
export interface RequestMemo {
  readonly tag: string;
  /** slot of the finalized block whose hash the transaction uses */
  readonly slot: bigint;
}

/**
 * The tag in all transactions of a request. Solana does not count an account's transactions, so without a tag two equal
 * payments at the same moment would have the same bytes, and land once for two requests (INV-4).
 * @returns 16 bytes, lower-case hex: two requests share one with a chance of 2^-128
 */
export const requestTagOf = (requestId: string): string =>
  bytesToHex(sha256(utf8ToBytes(`${DOMAIN}${requestId}`)).slice(0, TAG_BYTES));

const MEMO = /^([0-9a-f]{32}) (0|[1-9][0-9]{0,19})$/;

export const requestMemo = ({ tag, slot }: RequestMemo): string => `${tag} ${slot}`;

/** @returns undefined for any other text */
export const parseRequestMemo = (text: string): RequestMemo | undefined => {
  const [, tag, slot] = MEMO.exec(text) ?? [];
  return tag === undefined || slot === undefined ? undefined : { tag, slot: BigInt(slot) };
};

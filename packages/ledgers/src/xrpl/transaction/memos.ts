import { hexToBytes } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import { granted, type Ruling, refusedWith } from "../../ruling.ts";

const MEMOS_BYTES_MAX = 1_024;
/** The header and the end marker of the array. */
const FRAME_BYTES = 2;
export const RIPPLED_MEMO_FIELDS: ReadonlySet<string> = new Set(["MemoType", "MemoData", "MemoFormat"]);
/** the characters of RFC 3986, sections 2.2 and 2.3 */
const OF_URLS = /^[0-9A-Za-z\-._~:/?#[\]@!$&'()*+,;=%]*$/;

const isOfUrls = (hex: unknown): boolean =>
  typeof hex !== "string" || OF_URLS.test(String.fromCharCode(...hexToBytes(hex)));

/**
 * @param memos the field Memos, or undefined
 * @param bytes its length
 * @source rippled, src/libxrpl/protocol/STTx.cpp: isMemoOkay
 */
export const checkRippledMemos = (memos: LedgerJson, bytes: number): Ruling<undefined> => {
  if (!Array.isArray(memos)) return granted(undefined);
  if (bytes - FRAME_BYTES > MEMOS_BYTES_MAX) return refusedWith("The memo exceeds the maximum allowed size.");
  for (const item of memos) {
    const { Memo: memo, ...others } = Object(item);
    if (memo === undefined || Object.keys(others).length > 0) {
      return refusedWith("A memo array may contain only Memo objects.");
    }
    if (Object.keys(memo).some((name) => !RIPPLED_MEMO_FIELDS.has(name))) {
      return refusedWith("A memo may contain only MemoType, MemoData or MemoFormat fields.");
    }
    if (!isOfUrls(memo.MemoType) || !isOfUrls(memo.MemoFormat)) {
      return refusedWith(
        "The MemoType and MemoFormat fields may only contain characters that are allowed in URLs under RFC 3986.",
      );
    }
  }
  return granted(undefined);
};

import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { encodeRippledFields } from "../binary/encode.ts";
import { isRippledArray, type RippledFields, type RippledValue } from "../binary/value.ts";

const MEMOS_BYTES_MAX = 1_024;
/** The array's own header and end. */
const FRAME_BYTES = 2;
const MEMO_FIELDS = new Set(["MemoType", "MemoData", "MemoFormat"]);
/** RFC 3986, sections 2.2 and 2.3 */
const OF_URLS = /^[0-9A-Za-z\-._~:/?#[\]@!$&'()*+,;=%]*$/;

const memoIn = (item: RippledFields): RippledFields | undefined => {
  const memo = item.get("Memo");
  return item.size === 1 && memo instanceof Map ? memo : undefined;
};

const isOfUrls = (value: RippledValue | undefined): boolean =>
  value === undefined || (value instanceof Uint8Array && OF_URLS.test(String.fromCharCode(...value)));

/** @source rippled, src/libxrpl/protocol/STTx.cpp: isMemoOkay */
export const checkRippledMemos = (memos: RippledValue | undefined): Ruling<undefined> => {
  if (memos === undefined || !isRippledArray(memos)) return granted(undefined);
  if (encodeRippledFields(new Map([["Memos", memos]])).length - FRAME_BYTES > MEMOS_BYTES_MAX) {
    return refusedWith("The memo exceeds the maximum allowed size.");
  }
  for (const item of memos) {
    const memo = memoIn(item);
    if (memo === undefined) return refusedWith("A memo array may contain only Memo objects.");
    if ([...memo.keys()].some((name) => !MEMO_FIELDS.has(name))) {
      return refusedWith("A memo may contain only MemoType, MemoData or MemoFormat fields.");
    }
    if (!isOfUrls(memo.get("MemoType")) || !isOfUrls(memo.get("MemoFormat"))) {
      return refusedWith(
        "The MemoType and MemoFormat fields may only contain characters that are allowed in URLs under RFC 3986.",
      );
    }
  }
  return granted(undefined);
};

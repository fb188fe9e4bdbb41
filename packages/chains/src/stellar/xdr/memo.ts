import { bytesToHex, concatBytes, hexToBytes } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { StellarTransferMemo } from "../rules/memo.ts";
import { type XdrReader, XdrUnreadable } from "./xdr-reader.ts";
import { longXdr, variableXdr, wordXdr } from "./xdr-write.ts";

const TEXT_BYTES_MAX = 28;
const HASH_BYTES = 32;
/** MEMO_… */
const [NONE, TEXT, ID, HASH, RETURN] = [0, 1, 2, 3, 4];

/** A transaction's note to its receiver. In a caller's own bytes, a text may hold any characters. */
export type StellarMemo =
  | { readonly kind: "none" }
  | StellarTransferMemo
  /** the hash of a transaction that this one refunds, lower-case hex */
  | { readonly kind: "return"; readonly hash: string };

const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new XdrUnreadable("its memo is no text");
  }
};

export const readMemo = (reader: XdrReader): StellarMemo => {
  switch (reader.uint32()) {
    case NONE:
      return { kind: "none" };
    case TEXT:
      return { kind: "text", text: textOf(reader.variable(TEXT_BYTES_MAX, "memo")) };
    case ID:
      return { kind: "id", id: reader.uint64().toString() };
    case HASH:
      return { kind: "hash", hash: bytesToHex(reader.bytes(HASH_BYTES)) };
    case RETURN:
      return { kind: "return", hash: bytesToHex(reader.bytes(HASH_BYTES)) };
    default:
      throw new XdrUnreadable("its memo is of a type that is not read here");
  }
};

const tagged = (tag: number | undefined, ...parts: readonly Uint8Array[]): Uint8Array =>
  concatBytes(wordXdr(tag ?? 0), ...parts);

export const writeMemo = (memo: StellarMemo): Uint8Array => {
  switch (memo.kind) {
    case "none":
      return tagged(NONE);
    case "text":
      return tagged(TEXT, variableXdr(utf8ToBytes(memo.text)));
    case "id":
      return tagged(ID, longXdr(BigInt(memo.id)));
    case "hash":
      return tagged(HASH, hexToBytes(memo.hash));
    case "return":
      return tagged(RETURN, hexToBytes(memo.hash));
  }
};

/** A memo as one line of text, for comparison and display. */
export const spellMemo = (memo: StellarMemo): string => {
  switch (memo.kind) {
    case "none":
      return "none";
    case "text":
      return `text ${memo.text}`;
    case "id":
      return `id ${memo.id}`;
    case "hash":
    case "return":
      return `${memo.kind} ${memo.hash}`;
  }
};

import { concatBytes } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { isStellarAssetCode, type StellarToken } from "../rules/asset.ts";
import { readAccount, writeAccount } from "./account.ts";
import { type XdrReader, XdrUnreadable } from "./xdr-reader.ts";
import { wordXdr } from "./xdr-write.ts";

/** ASSET_TYPE_… */
const NATIVE = 0;
const SHORT = 1;
const LONG = 2;
const SHORT_CODE_BYTES = 4;
const LONG_CODE_BYTES = 12;

/** Reads an asset's code; refuses types that are no plain asset, such as pool shares. */
const readCode = (reader: XdrReader, type: number): string => {
  if (type !== SHORT && type !== LONG)
    throw new XdrUnreadable("its asset is of a type that is not read here");
  const bytes = reader.bytes(type === SHORT ? SHORT_CODE_BYTES : LONG_CODE_BYTES);
  const end = bytes.indexOf(0);
  const length = end === -1 ? bytes.length : end;
  const code = String.fromCharCode(...bytes.subarray(0, length));
  const isOfType = length > SHORT_CODE_BYTES === (type === LONG);
  if (!isStellarAssetCode(code) || !isOfType || bytes.subarray(length).some((byte) => byte !== 0)) {
    throw new XdrUnreadable("the code of its asset is not valid");
  }
  return code;
};

/** @returns undefined for lumens */
export const readAsset = (reader: XdrReader): StellarToken | undefined => {
  const type = reader.uint32();
  if (type === NATIVE) return undefined;
  const code = readCode(reader, type);
  return { code, issuer: readAccount(reader, "asset's issuer") };
};

/** @param token undefined for lumens */
export const writeAsset = (token: StellarToken | undefined): Uint8Array => {
  if (token === undefined) return wordXdr(NATIVE);
  const { code, issuer } = token;
  const isShort = code.length <= SHORT_CODE_BYTES;
  const padded = new Uint8Array(isShort ? SHORT_CODE_BYTES : LONG_CODE_BYTES);
  padded.set(utf8ToBytes(code));
  return concatBytes(wordXdr(isShort ? SHORT : LONG), padded, writeAccount(issuer));
};

import type { HorizonAddress } from "../address.ts";
import type { HorizonAsset, HorizonCredit } from "../xdr/asset.ts";

const SHORT_BYTES = 4;
const LONG_BYTES = 12;

/** A code without its trailing zero bytes. */
export const assetCodeOf = ({ value }: HorizonCredit): string =>
  String.fromCharCode(...value.code).replace(/\0+$/, "");

/** Whether a code is letters and digits followed only by zero bytes, and a long code does not fit into the short form. */
export const isCodeValid = (type: HorizonCredit["type"], code: Uint8Array): boolean => {
  const text = String.fromCharCode(...code);
  return type === "short" ? /^[A-Za-z0-9]{1,4}\0*$/.test(text) : /^[A-Za-z0-9]{5,12}\0*$/.test(text);
};

export const isAssetValid = (asset: HorizonAsset): boolean =>
  asset.type === "native" || isCodeValid(asset.type, asset.value.code);

/** @param code 1 to 12 letters and digits */
export const creditOf = (code: string, issuer: HorizonAddress): HorizonCredit => {
  const type = code.length <= SHORT_BYTES ? "short" : "long";
  const bytes = new Uint8Array(type === "short" ? SHORT_BYTES : LONG_BYTES);
  bytes.set([...code].map((character) => character.charCodeAt(0)));
  return { type, value: { code: bytes, issuer } };
};

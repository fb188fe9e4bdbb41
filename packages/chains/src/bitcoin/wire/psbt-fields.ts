import { bytesToHex } from "@noble/curves/utils.js";
import { UnreadableBytes } from "./bytes.ts";

/** The kinds of map in a PSBT. */
export type PsbtMapKind = "global" | "input" | "output";

/**
 * How to handle a field.
 *   read: it tells which coin is spent, or how it is signed
 *   passed: it does not affect the signed bytes, and is returned unchanged (BIP-174: signers keep unknown fields)
 *   refused: it affects the signed bytes, or says that something is signed already
 */
type Treatment =
  | { readonly kind: "read" }
  | {
      readonly kind: "passed";
      readonly name: string;
      /** allowed lengths of key data after the type; empty: any length */
      readonly keyBytes: readonly number[];
      /** length of its value; undefined: any length */
      readonly valueBytes?: number;
    }
  | { readonly kind: "refused"; readonly name: string };

const READ: Treatment = { kind: "read" };
const passed = (name: string, ...keyBytes: readonly number[]): Treatment => ({
  kind: "passed",
  name,
  keyBytes,
});
const refused = (name: string): Treatment => ({ kind: "refused", name });

/** Length of key data if the key is only its type. */
const ALONE = 0;
const X_ONLY_KEY_BYTES = 32;
const PUBLIC_KEY_BYTES = [33, 65] as const;
const EXTENDED_KEY_BYTES = 78;
const INTERNAL_KEY: Treatment = {
  kind: "passed",
  name: "the Taproot internal key",
  keyBytes: [ALONE],
  valueBytes: X_ONLY_KEY_BYTES,
};
const VERSION_2 = "a field of PSBT version 2 (BIP-370)";

/** Fields of BIP-174 and its registry of types: BIP-370, 371, 373, 375. */
const FIELDS: Readonly<Record<PsbtMapKind, ReadonlyMap<number, Treatment>>> = {
  global: new Map([
    [0x00, READ],
    [0x01, passed("an extended public key", EXTENDED_KEY_BYTES)],
    [0x02, refused(VERSION_2)],
    [0x03, refused(VERSION_2)],
    [0x04, refused(VERSION_2)],
    [0x05, refused(VERSION_2)],
    [0x06, refused(VERSION_2)],
    [0x07, refused("a share of silent payments (BIP-375)")],
    [0x08, refused("a proof of silent payments (BIP-375)")],
    [0xfb, passed("the version of the PSBT", ALONE)],
  ]),
  input: new Map([
    [0x00, READ],
    [0x01, READ],
    [0x02, refused("a signature")],
    [0x03, READ],
    [0x04, refused("a redeem script")],
    [0x05, refused("a witness script")],
    [0x06, passed("the derivation of a key (BIP-32)", ...PUBLIC_KEY_BYTES)],
    [0x07, refused("a final script")],
    [0x08, refused("a final witness")],
    [0x09, refused("a commitment of a proof of reserves")],
    [0x0e, refused(VERSION_2)],
    [0x0f, refused(VERSION_2)],
    [0x10, refused(VERSION_2)],
    [0x11, refused(VERSION_2)],
    [0x12, refused(VERSION_2)],
    [0x13, refused("a Taproot signature")],
    [0x14, refused("a signature of a Taproot script")],
    [0x15, refused("a Taproot leaf script")],
    [0x16, passed("the derivation of a Taproot key", X_ONLY_KEY_BYTES)],
    [0x17, INTERNAL_KEY],
    [0x18, refused("the root of a Taproot script tree")],
    [0x1a, refused("participants of MuSig2 (BIP-373)")],
    [0x1b, refused("a nonce of MuSig2 (BIP-373)")],
    [0x1c, refused("a signature of MuSig2 (BIP-373)")],
    [0x1d, refused("a share of silent payments (BIP-375)")],
    [0x1e, refused("a proof of silent payments (BIP-375)")],
  ]),
  output: new Map([
    [0x00, passed("a redeem script", ALONE)],
    [0x01, passed("a witness script", ALONE)],
    [0x02, passed("the derivation of a key (BIP-32)", ...PUBLIC_KEY_BYTES)],
    [0x03, refused(VERSION_2)],
    [0x04, refused(VERSION_2)],
    [0x05, INTERNAL_KEY],
    [0x06, passed("a Taproot script tree", ALONE)],
    [0x07, passed("the derivation of a Taproot key", X_ONLY_KEY_BYTES)],
    [0x09, refused("the recipient of a silent payment (BIP-375)")],
    [0x0a, refused("a label of a silent payment (BIP-375)")],
  ]),
};

export const TAP_INTERNAL_KEY = 0x17;
export const PSBT_VERSION = 0xfb;

/** A field of a PSBT: its key, which begins with its type, and its value. */
export interface PsbtField {
  readonly type: number;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * Judges a field by its type and its lengths. Types that no BIP names are passed, like proprietary ones.
 * @param where name of the map in an error's words
 * @throws UnreadableBytes
 */
export const judgePsbtField = (kind: PsbtMapKind, { type, key, value }: PsbtField, where: string): void => {
  const treatment = FIELDS[kind].get(type);
  if (treatment === undefined) return;
  const shown = `0x${type.toString(16).padStart(2, "0")}`;
  if (treatment.kind === "refused") {
    throw new UnreadableBytes(`${where} has ${treatment.name} (field ${shown}), which is not signed here`);
  }
  if (treatment.kind === "read") {
    if (key.length > 1)
      throw new UnreadableBytes(`the field 0x${bytesToHex(key)} of ${where} has a longer key`);
    return;
  }
  const { name, keyBytes, valueBytes } = treatment;
  const isKey = keyBytes.length === 0 || keyBytes.includes(key.length - 1);
  if (!isKey || (valueBytes !== undefined && value.length !== valueBytes)) {
    throw new UnreadableBytes(`${name} (field ${shown}) of ${where} has another length than it may`);
  }
};

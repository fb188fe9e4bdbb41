import type { Network } from "@conclave/custody";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import { ANCHOR_PROGRAM, type BitcoinScriptType } from "./address.ts";
import { bitcoinParameters } from "./parameters.ts";

const AMOUNT_BYTES = 8;
const LENGTH_BYTES = 1;
/**
 * Virtual bytes of an input that spends an output, including its signature: of a legacy output, and of a witness program, whose
 * witness counts a quarter.
 */
const SPENDING_VBYTES = 148;
const SPENDING_WITNESS_VBYTES = 67;
/** Satoshis a byte (DUST_RELAY_TX_FEE; Bitcoin Core, policy/policy.h). */
const DUST_RATE = 3;

const base58check = createBase58check(sha256);

interface Form {
  readonly type: BitcoinScriptType;
  readonly before: readonly number[];
  readonly bodyBytes: number;
  readonly after: readonly number[];
}

const FORMS: readonly Form[] = [
  { type: "P2PKH", before: [0x76, 0xa9, 0x14], bodyBytes: 20, after: [0x88, 0xac] },
  { type: "P2SH", before: [0xa9, 0x14], bodyBytes: 20, after: [0x87] },
  { type: "P2WPKH", before: [0x00, 0x14], bodyBytes: 20, after: [] },
  { type: "P2WSH", before: [0x00, 0x20], bodyBytes: 32, after: [] },
  { type: "P2TR", before: [0x51, 0x20], bodyBytes: 32, after: [] },
  { type: "P2A", before: [0x51, 0x02], bodyBytes: 2, after: [] },
];

const isOf = (script: Uint8Array, { type, before, bodyBytes, after }: Form): boolean =>
  script.length === before.length + bodyBytes + after.length &&
  (type !== "P2A" || ANCHOR_PROGRAM.every((byte, at) => byte === script[before.length + at])) &&
  before.every((byte, at) => byte === script[at]) &&
  after.every((byte, at) => byte === script[before.length + bodyBytes + at]);

/** The type of a standard script; undefined for any other. */
export const bitcoinScriptType = (script: Uint8Array): BitcoinScriptType | undefined =>
  FORMS.find((form) => isOf(script, form))?.type;

/** The hash or key that a standard script pays to. @throws TypeError for any other script */
export const bitcoinScriptBody = (script: Uint8Array): Uint8Array => {
  const form = FORMS.find((each) => isOf(script, each));
  if (form === undefined) throw new TypeError(`${bytesToHex(script)} is no standard script`);
  return script.slice(form.before.length, form.before.length + form.bodyBytes);
};

/** The address that a standard script pays, in its canonical spelling; undefined for any other script. */
export const bitcoinAddressPaid = (network: Network, script: Uint8Array): string | undefined => {
  const { humanPart, publicKeyHash, scriptHash } = bitcoinParameters(network);
  const type = bitcoinScriptType(script);
  if (type === undefined) return undefined;
  const body = bitcoinScriptBody(script);
  switch (type) {
    case "P2PKH":
      return base58check.encode(concatBytes(Uint8Array.of(publicKeyHash), body));
    case "P2SH":
      return base58check.encode(concatBytes(Uint8Array.of(scriptHash), body));
    case "P2WPKH":
    case "P2WSH":
      return bech32.encode(humanPart, [0, ...bech32.toWords(body)]);
    case "P2TR":
    case "P2A":
      return bech32m.encode(humanPart, [1, ...bech32m.toWords(body)]);
  }
};

/**
 * The dust limit of an output, in satoshis: nodes relay no output whose spending costs a third of it or more (GetDustThreshold;
 * Bitcoin Core, policy/policy.cpp). 546 for P2PKH, 540 for P2SH, 294 for P2WPKH, 330 for P2WSH and P2TR, 240 for P2A.
 * @throws TypeError for a script that is not standard
 */
export const bitcoinDustLimit = (script: Uint8Array): bigint => {
  const type = bitcoinScriptType(script);
  if (type === undefined) throw new TypeError(`${bytesToHex(script)} is no standard script`);
  const spending = type === "P2PKH" || type === "P2SH" ? SPENDING_VBYTES : SPENDING_WITNESS_VBYTES;
  return BigInt((AMOUNT_BYTES + LENGTH_BYTES + script.length + spending) * DUST_RATE);
};

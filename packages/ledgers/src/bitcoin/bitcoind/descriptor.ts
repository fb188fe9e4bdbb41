import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { addressPaidBy, scriptPaying } from "../address.ts";
import type { BitcoindNetwork } from "../network.ts";

const INPUT_CHARACTERS =
  "0123456789()[],'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#\"\\ ";
const CHECKSUM_CHARACTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];

const polymod = (checksum: bigint, value: number): bigint => {
  const top = checksum >> 35n;
  const shifted = ((checksum & 0x7ffffffffn) << 5n) ^ BigInt(value);
  return GENERATOR.reduce((sum, each, at) => (((top >> BigInt(at)) & 1n) === 1n ? sum ^ each : sum), shifted);
};

/** @returns undefined if a character is not allowed in descriptors. @source BIP-380 */
const descriptorChecksum = (text: string): string | undefined => {
  let [checksum, classes, count] = [1n, 0, 0];
  for (const character of text) {
    const position = INPUT_CHARACTERS.indexOf(character);
    if (position < 0) return undefined;
    checksum = polymod(checksum, position & 31);
    classes = classes * 3 + (position >> 5);
    count += 1;
    if (count % 3 === 0) {
      checksum = polymod(checksum, classes);
      classes = 0;
    }
  }
  if (count % 3 !== 0) checksum = polymod(checksum, classes);
  for (let at = 0; at < 8; at += 1) checksum = polymod(checksum, 0);
  checksum ^= 1n;
  const digits = Array.from({ length: 8 }, (_, at) => Number((checksum >> BigInt(5 * (7 - at))) & 31n));
  return digits.map((digit) => CHECKSUM_CHARACTERS[digit] ?? "").join("");
};

const withChecksum = (text: string): string => `${text}#${descriptorChecksum(text) ?? ""}`;

/** The descriptor that a node infers for a script whose keys it does not know. */
export const descriptorOfScript = (script: Uint8Array, network: BitcoindNetwork): string => {
  const address = addressPaidBy(script, network);
  return withChecksum(address === undefined ? `raw(${bytesToHex(script)})` : `addr(${address})`);
};

/** Reads `addr(…)` or `raw(…)`, with or without a checksum. @returns the script that the descriptor describes */
export const scriptOfDescriptor = (text: string, network: BitcoindNetwork): Ruling<Uint8Array> => {
  const [body = "", checksum, ...more] = text.split("#");
  const expected = descriptorChecksum(body);
  if (more.length > 0) return refusedWith("Multiple '#' symbols");
  if (expected === undefined) return refusedWith("Invalid characters in payload");
  if (checksum !== undefined && checksum !== expected) {
    return refusedWith(
      checksum.length === 8
        ? `Provided checksum '${checksum}' does not match computed checksum '${expected}'`
        : `Expected 8 character checksum, not ${checksum.length} characters`,
    );
  }
  const [, kind, inner = ""] = /^([a-z]+)\((.*)\)$/.exec(body) ?? [];
  if (kind === "addr") {
    const script = scriptPaying(inner, network);
    return script === undefined ? refusedWith("Address is not valid") : granted(script);
  }
  if (kind === "raw") {
    return /^([0-9a-f]{2})*$/i.test(inner)
      ? granted(hexToBytes(inner))
      : refusedWith("Raw script is not hex");
  }
  return refusedWith(
    kind === undefined
      ? `'${body}' is not a valid descriptor function`
      : `this simulated ledger scans for addr(…) and raw(…) only, not for ${kind}(…)`,
  );
};

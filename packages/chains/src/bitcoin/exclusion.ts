import { bytesToHex, concatBytes } from "@noble/curves/utils.js";
import { encodeOutpoint, type Outpoint } from "./wire/transaction.ts";

/**
 * A Bitcoin exclusion: which coins a transaction spends.
 *
 *   01, then each outpoint (txid in the order of the wire, 32 bytes; index, 4 bytes little-endian), in ascending order
 */
const OUTPOINTS = 1;
const OUTPOINT_BYTES = 36;

/** The exclusion of a transaction that spends these coins. */
export const bitcoinExclusion = (outpoints: readonly Outpoint[]): Uint8Array => {
  const encoded = outpoints.map(encodeOutpoint);
  const ordered = encoded.toSorted((one, other) => (bytesToHex(one) < bytesToHex(other) ? -1 : 1));
  return concatBytes(Uint8Array.of(OUTPOINTS), ...ordered);
};

const outpointsIn = (exclusion: Uint8Array): readonly string[] => {
  if (exclusion[0] !== OUTPOINTS || exclusion.length % OUTPOINT_BYTES !== 1) return [];
  const count = (exclusion.length - 1) / OUTPOINT_BYTES;
  return Array.from({ length: count }, (_, at) =>
    bytesToHex(exclusion.slice(1 + at * OUTPOINT_BYTES, 1 + (at + 1) * OUTPOINT_BYTES)),
  );
};

/** Bitcoin's rule (INV-4): two transactions exclude each other exactly if they spend a common coin. */
export const sharesCoin = (earlier: Uint8Array, later: Uint8Array): boolean => {
  const spent = new Set(outpointsIn(earlier));
  return outpointsIn(later).some((outpoint) => spent.has(outpoint));
};

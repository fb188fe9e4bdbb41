import type { SchemeSignature, SignatureValue } from "@conclave/custody";

const HALF_BYTES = 32;
/** Ethereum's v, which is 27 plus the parity of R's y, in hex. */
const V = ["1b", "1c"] as const;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const word = (value: bigint): string => value.toString(16).padStart(2 * HALF_BYTES, "0");

/**
 * A signature as the API answers it (wire interface, section F.6): for ECDSA the two numbers, for Ed25519 and BIP-340
 * the halves of the 64 bytes; and both parts joined.
 *
 * @param withRecovery whether v follows r and s of an ECDSA signature in `encoded`, as clients of EVM chains expect
 */
export const signatureValue = (signature: SchemeSignature, withRecovery: boolean): SignatureValue => {
  if (signature.scheme !== "CGGMP24") {
    const { bytes } = signature;
    return {
      r: `0x${hex(bytes.subarray(0, HALF_BYTES))}`,
      s: `0x${hex(bytes.subarray(HALF_BYTES))}`,
      encoded: `0x${hex(bytes)}`,
    };
  }
  const { r, s, recovery } = signature;
  return {
    r: `0x${word(r)}`,
    s: `0x${word(s)}`,
    recid: recovery,
    encoded: `0x${word(r)}${word(s)}${withRecovery ? V[recovery] : ""}`,
  };
};

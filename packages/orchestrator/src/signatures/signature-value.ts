import type { SignatureValue } from "@conclave/custody";
import type { Signature } from "@conclave/threshold";

const HALF_BYTES = 32;
/** Ethereum's v: 27 and the parity of R's y, in hex. */
const V = ["1b", "1c"] as const;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const word = (value: bigint): string => value.toString(16).padStart(2 * HALF_BYTES, "0");

/**
 * An ECDSA signature as the API answers it (wire interface, section F.6).
 *
 * @param isEvm whether v follows r and s in `encoded`, as EVM chains want it
 */
export const ecdsaValue = ({ r, s, recovery }: Signature, isEvm: boolean): SignatureValue => ({
  r: `0x${word(r)}`,
  s: `0x${word(s)}`,
  recid: recovery,
  encoded: `0x${word(r)}${word(s)}${isEvm ? V[recovery] : ""}`,
});

/** 64 bytes of Ed25519 or BIP-340 as the API answers them: their halves, and both in one. */
export const messageValue = (signature: Uint8Array): SignatureValue => ({
  r: `0x${hex(signature.subarray(0, HALF_BYTES))}`,
  s: `0x${hex(signature.subarray(HALF_BYTES))}`,
  encoded: `0x${hex(signature)}`,
});

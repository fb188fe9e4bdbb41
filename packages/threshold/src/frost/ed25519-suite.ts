import { bytesToNumberLE, concatBytes, numberToBytesLE } from "@noble/curves/utils.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { ED25519, type EdwardsPoint, SCALAR_BYTES, scalarOf } from "../curve.ts";
import { verifyEd25519 } from "../ed25519.ts";
import { type Ciphersuite, untweaked } from "./ciphersuite.ts";

const CONTEXT = "FROST-ED25519-SHA512-v1";

const hash = (tag: string, input: Uint8Array): Uint8Array =>
  sha512(concatBytes(utf8ToBytes(`${CONTEXT}${tag}`), input));

const reduce = (digest: Uint8Array): bigint => scalarOf(ED25519, bytesToNumberLE(digest));

const pointBytes = (point: EdwardsPoint): Uint8Array => point.toBytes();

/** FROST(Ed25519, SHA-512): RFC 9591, section 6.1. Its signatures are those of RFC 8032. */
export const ED25519_SUITE: Ciphersuite<EdwardsPoint> = {
  curve: ED25519,
  hashes: {
    h1: (input) => reduce(hash("rho", input)),
    h3: (input) => reduce(hash("nonce", input)),
    h4: (input) => hash("msg", input),
    h5: (input) => hash("com", input),
  },
  scalarBytes: (scalar) => numberToBytesLE(scalar, SCALAR_BYTES),
  pointBytes,
  signingKey: untweaked((publicKey) => ({ publicKey, isNegated: false, shift: 0n })),
  negatesNonces: () => false,
  challenge: (R, publicKey, message) =>
    reduce(sha512(concatBytes(pointBytes(R), pointBytes(publicKey), message))),
  verify: verifyEd25519,
};

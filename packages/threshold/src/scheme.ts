import { type Curve, ED25519, type EdwardsPoint, type GroupPoint, type Point, SECP256K1 } from "./curve.ts";
import { BIP340_SUITE, TAPROOT_SUITE } from "./frost/bip340-suites.ts";
import type { Ciphersuite } from "./frost/ciphersuite.ts";
import { ED25519_SUITE } from "./frost/ed25519-suite.ts";

/**
 * The signature scheme of a key. It is fixed at key generation, part of every transcript of the key, and
 * stored with the key: a key of one scheme never signs under another, because signatures of one could then
 * forge signatures of the other.
 */
export interface Scheme<P extends GroupPoint<P>> {
  readonly name: SchemeName;
  readonly curve: Curve<P>;
  /** the FROST ciphersuite; undefined for CGGMP24 */
  readonly frost?: Ciphersuite<P>;
}

/** The name of a scheme in stored keys and transcripts. */
export type SchemeName = "CGGMP24" | "FROST-Ed25519" | "FROST-BIP340" | "FROST-Taproot";

/** ECDSA over secp256k1. */
export const CGGMP24: Scheme<Point> = { name: "CGGMP24", curve: SECP256K1 };

/** Ed25519 signatures (RFC 8032 verification) by FROST, RFC 9591 section 6.1. */
export const FROST_ED25519: Scheme<EdwardsPoint> = {
  name: "FROST-Ed25519",
  curve: ED25519,
  frost: ED25519_SUITE,
};

/** BIP-340 signatures by FROST, under the key itself. */
export const FROST_BIP340: Scheme<Point> = { name: "FROST-BIP340", curve: SECP256K1, frost: BIP340_SUITE };

/**
 * BIP-340 signatures by FROST, under the key's BIP-341 output key, as a key-path spend of a Taproot output
 * requires: with an empty script tree, or with one whose root is authorised. The shares stay those of the
 * internal key; signing adds the tweak.
 */
export const FROST_TAPROOT: Scheme<Point> = { name: "FROST-Taproot", curve: SECP256K1, frost: TAPROOT_SUITE };

/** Calls `use` with the scheme of a name, so that code that is generic over curves gets the type of its curve. */
export const withScheme = <Result>(
  name: SchemeName,
  use: <P extends GroupPoint<P>>(scheme: Scheme<P>) => Result,
): Result => {
  switch (name) {
    case "CGGMP24":
      return use(CGGMP24);
    case "FROST-Ed25519":
      return use(FROST_ED25519);
    case "FROST-BIP340":
      return use(FROST_BIP340);
    case "FROST-Taproot":
      return use(FROST_TAPROOT);
  }
};

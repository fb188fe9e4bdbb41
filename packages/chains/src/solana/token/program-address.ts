import { ed25519 } from "@noble/curves/ed25519.js";
import { concatBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { solanaAddress, solanaPublicKey } from "../rules/address.ts";

const DOMAIN: Uint8Array = utf8ToBytes("ProgramDerivedAddress");
const LAST_BUMP = 255;

/** Uses the chain's own library's rule, which also accepts non-canonical encodings of a point. */
const isOnCurve = (bytes: Uint8Array): boolean => {
  try {
    ed25519.Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
};

/**
 * The address that a program derives from seeds (Solana Documentation, "Program Derived Address"): the first hash of them
 * that is no public key, so that nobody has a key to it.
 * @param program its address
 * @param seeds of at most 32 bytes each
 */
export const programAddress = (program: string, seeds: readonly Uint8Array[]): string => {
  const end = concatBytes(solanaPublicKey(program), DOMAIN);
  for (let bump = LAST_BUMP; bump >= 0; bump -= 1) {
    const hash = sha256(concatBytes(...seeds, Uint8Array.of(bump), end));
    if (!isOnCurve(hash)) return solanaAddress(hash);
  }
  throw new RangeError("no seed gives an address that is no public key");
};

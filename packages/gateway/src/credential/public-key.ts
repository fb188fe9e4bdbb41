import { createPublicKey, type KeyObject } from "node:crypto";
import { fail, ok, type Result } from "@conclave/custody";

const CURVES: readonly string[] = ["prime256v1", "secp256k1", "secp384r1", "secp521r1"];
const LEAST_RSA_BITS = 2_048;
/** The largest accepted RSA key: a larger one only makes each verification slower. */
const MOST_RSA_BITS = 8_192;

/**
 * Reads the public key of a new credential.
 * @param pem SPKI, or PKCS#1 of an RSA key
 * @returns SPKI in PEM, whatever the input's form; PublicKeyInvalid for anything but a public key of an accepted kind
 */
export const readPublicKey = (pem: string): Result<string> => {
  // Node would also accept a private key here, and derive its public half: a client must not send a private key at all
  // (INV-10)
  if (pem.includes("PRIVATE KEY")) return fail("PublicKeyInvalid");
  try {
    const key = createPublicKey(pem);
    return isTaken(key)
      ? ok(key.export({ type: "spki", format: "pem" }).toString())
      : fail("PublicKeyInvalid");
  } catch {
    return fail("PublicKeyInvalid");
  }
};

const isTaken = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean => {
  switch (asymmetricKeyType) {
    case "ed25519":
      return true;
    case "ec":
      return CURVES.includes(asymmetricKeyDetails?.namedCurve ?? "");
    case "rsa": {
      const bits = asymmetricKeyDetails?.modulusLength ?? 0;
      return bits >= LEAST_RSA_BITS && bits <= MOST_RSA_BITS;
    }
    default:
      return false;
  }
};

import { createPublicKey } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import { z } from "zod";

/** Labels and values of RFC 9052, section 7, and RFC 9053, section 7. */
const LABEL = { keyType: 1, curve: -1, x: -2, y: -3, modulus: -1, exponent: -2 } as const;
const KEY_TYPE = { octets: 1, curve: 2, rsa: 3 } as const;

const bytes = z.instanceof(Uint8Array);
const members = z.map(z.number(), z.unknown());
const text = (value: unknown): string => Buffer.from(bytes.parse(value)).toString("base64url");

/**
 * Converts an authenticator's public key to the form of all other keys here.
 * @param cose a COSE_Key: Ed25519, P-256 or RSA, which are all that is requested
 * @returns SPKI in PEM
 * @throws for any other key
 */
export const pemOfCoseKey = (cose: Uint8Array): string => {
  const map = members.parse(isoCBOR.decodeFirst<unknown>(new Uint8Array(cose)));
  const key = createPublicKey({ key: jwkOf(map), format: "jwk" });
  return key.export({ type: "spki", format: "pem" }).toString();
};

const jwkOf = (map: ReadonlyMap<number, unknown>) => {
  switch (map.get(LABEL.keyType)) {
    case KEY_TYPE.octets:
      return { kty: "OKP", crv: "Ed25519", x: text(map.get(LABEL.x)) };
    case KEY_TYPE.curve:
      return { kty: "EC", crv: "P-256", x: text(map.get(LABEL.x)), y: text(map.get(LABEL.y)) };
    case KEY_TYPE.rsa:
      return { kty: "RSA", n: text(map.get(LABEL.modulus)), e: text(map.get(LABEL.exponent)) };
    default:
      throw new RangeError("the authenticator's key is of another type than was asked for");
  }
};

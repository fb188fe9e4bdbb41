import type { AuthorisedKey } from "../authorisation/key.ts";
import { fail, ok, type Result } from "../errors.ts";

/** A key's scheme, as signers name it. */
export type KeyScheme = AuthorisedKey["scheme"];

export const KEY_SCHEMES = [
  "ECDSA",
  "FROST-Ed25519",
  "FROST-BIP340",
  "FROST-Taproot",
] as const satisfies readonly KeyScheme[];

/** A key's format, as the interface names it (wire interface, section F.2). */
export type KeyFormat =
  | { readonly scheme: "ECDSA"; readonly curve: "secp256k1" }
  | { readonly scheme: "EdDSA"; readonly curve: "ed25519" }
  | { readonly scheme: "Schnorr"; readonly curve: "secp256k1" };

// formats are compared by identity
export const ECDSA_FORMAT: KeyFormat = { scheme: "ECDSA", curve: "secp256k1" };
export const EDDSA_FORMAT: KeyFormat = { scheme: "EdDSA", curve: "ed25519" };
export const SCHNORR_FORMAT: KeyFormat = { scheme: "Schnorr", curve: "secp256k1" };

/** Every format of which the signers make keys. */
const KEY_FORMATS: readonly KeyFormat[] = [ECDSA_FORMAT, EDDSA_FORMAT, SCHNORR_FORMAT];

/**
 * The interface's name of a scheme. Schnorr keys are Taproot keys. Older versions also made BIP-340 keys,
 * which sign untweaked and are still supported.
 */
export const formatOf = (scheme: KeyScheme): KeyFormat => {
  switch (scheme) {
    case "ECDSA":
      return ECDSA_FORMAT;
    case "FROST-Ed25519":
      return EDDSA_FORMAT;
    case "FROST-BIP340":
    case "FROST-Taproot":
      return SCHNORR_FORMAT;
  }
};

/** A format as a request names it, in the interface's words, whether or not this service makes such keys. */
export interface AskedFormat {
  readonly scheme?: string | undefined;
  readonly curve?: string | undefined;
}

/** Whether a format matches the request. */
export const fitsFormat = (asked: AskedFormat, format: KeyFormat): boolean =>
  (asked.scheme ?? format.scheme) === format.scheme && (asked.curve ?? format.curve) === format.curve;

/** The scheme that the signers generate for a format. */
export const schemeFor = (format: KeyFormat): KeyScheme => {
  switch (format.scheme) {
    case "ECDSA":
      return "ECDSA";
    case "EdDSA":
      return "FROST-Ed25519";
    case "Schnorr":
      return "FROST-Taproot";
  }
};

/**
 * Judges the format of a new key that no wallet needs.
 * @returns the scheme for the signers to generate, or KeyFormatNotSupported
 */
export const judgeKeyFormat = (asked: AskedFormat): Result<KeyScheme> => {
  const format = KEY_FORMATS.find((each) => fitsFormat(asked, each));
  return format === undefined
    ? fail("KeyFormatNotSupported", { formats: KEY_FORMATS })
    : ok(schemeFor(format));
};

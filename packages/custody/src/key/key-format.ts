import type { AuthorisedKey } from "../authorisation/key.ts";
import { fail, ok, type Result } from "../errors.ts";
import { familyOf, type Network, type NetworkFamily } from "../network.ts";

/** The format of a key for the signers. */
export type KeyScheme = AuthorisedKey["scheme"];

export const KEY_SCHEMES = [
  "ECDSA",
  "FROST-Ed25519",
  "FROST-BIP340",
  "FROST-Taproot",
] as const satisfies readonly KeyScheme[];

/** How the interface names it (wire interface, section F.2). */
export type KeyFormat =
  | { readonly scheme: "ECDSA"; readonly curve: "secp256k1" }
  | { readonly scheme: "EdDSA"; readonly curve: "ed25519" }
  | { readonly scheme: "Schnorr"; readonly curve: "secp256k1" };

const ECDSA: KeyFormat = { scheme: "ECDSA", curve: "secp256k1" };
const EDDSA: KeyFormat = { scheme: "EdDSA", curve: "ed25519" };
const SCHNORR: KeyFormat = { scheme: "Schnorr", curve: "secp256k1" };

/** Every format that the signers make keys of. */
const KEY_FORMATS: readonly KeyFormat[] = [ECDSA, EDDSA, SCHNORR];

/**
 * The interface's name of a scheme. Schnorr keys are Taproot keys. Older versions also made BIP-340 keys, which are not tweaked when they
 * sign, and do so still.
 */
export const formatOf = (scheme: KeyScheme): KeyFormat => {
  switch (scheme) {
    case "ECDSA":
      return ECDSA;
    case "FROST-Ed25519":
      return EDDSA;
    case "FROST-BIP340":
    case "FROST-Taproot":
      return SCHNORR;
  }
};

/** Formats of each family, the usual one first; none where the sources do not tell. */
const OF_FAMILY: Readonly<Record<Exclude<NetworkFamily, "Key">, readonly KeyFormat[]>> = {
  Evm: [ECDSA],
  Bitcoin: [ECDSA, SCHNORR],
  BitcoinCash: [ECDSA],
  Dogecoin: [ECDSA],
  Litecoin: [ECDSA],
  Algorand: [EDDSA],
  Aptos: [EDDSA],
  Canton: [],
  Cardano: [EDDSA],
  Concordium: [],
  Cosmos: [ECDSA],
  Hedera: [],
  Icp: [],
  Ion: [],
  Iota: [EDDSA],
  Kaspa: [],
  Near: [EDDSA],
  Polymesh: [],
  Solana: [EDDSA],
  Starknet: [],
  Stellar: [EDDSA],
  Substrate: [EDDSA],
  Sui: [EDDSA],
  Tezos: [EDDSA, ECDSA],
  Ton: [EDDSA],
  Tron: [ECDSA],
  Xrpl: [EDDSA, ECDSA],
};
const OF_PSEUDO_NETWORK: ReadonlyMap<string, readonly KeyFormat[]> = new Map([
  ["KeyECDSA", [ECDSA]],
  ["KeyEdDSA", [EDDSA]],
]);

/** The formats of keys that a network's wallets sign with, the usual one first. */
export const keyFormatsOn = (network: Network): readonly KeyFormat[] => {
  const family = familyOf(network);
  return family === "Key" ? (OF_PSEUDO_NETWORK.get(network) ?? []) : OF_FAMILY[family];
};

/** A format as a request asks for it: of the names of the interface, whether or not keys of it are made here. */
export interface AskedFormat {
  readonly scheme?: string | undefined;
  readonly curve?: string | undefined;
}

const fits = (asked: AskedFormat, format: KeyFormat): boolean =>
  (asked.scheme ?? format.scheme) === format.scheme && (asked.curve ?? format.curve) === format.curve;

const schemeFor = (format: KeyFormat): KeyScheme => {
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
 * Judges the format of a new key that no wallet asked for.
 * @returns the format for the signers to generate, or KeyFormatNotSupported
 */
export const judgeKeyFormat = (asked: AskedFormat): Result<KeyScheme> => {
  const format = KEY_FORMATS.find((each) => fits(asked, each));
  return format === undefined
    ? fail("KeyFormatNotSupported", { formats: KEY_FORMATS })
    : ok(schemeFor(format));
};

/**
 * Judges the format of a new wallet's key; an absent one is the network's usual one.
 * @returns the format for the signers to generate, or KeyFormatMismatch
 */
export const judgeWalletKeyFormat = (network: Network, asked: AskedFormat): Result<KeyScheme> => {
  const formats = keyFormatsOn(network);
  const format = formats.find((each) => fits(asked, each));
  return format === undefined ? fail("KeyFormatMismatch", { network, formats }) : ok(schemeFor(format));
};

/**
 * Judges a key that there is for a wallet of a network.
 * @param asked the key's format in the request
 * @returns KeyFormatMismatch when the network's wallets do not sign with it, or it is not what was asked for
 */
export const judgeKeyOnNetwork = (
  network: Network,
  scheme: KeyScheme,
  asked: AskedFormat = {},
): Result<void> => {
  const formats = keyFormatsOn(network);
  const format = formatOf(scheme);
  // a key that signs untweaked would let nobody tell whether its outputs hide a script tree (BIP-341, BIP-86)
  return scheme !== "FROST-BIP340" && formats.includes(format) && fits(asked, format)
    ? ok(undefined)
    : fail("KeyFormatMismatch", { network, formats, key: format });
};

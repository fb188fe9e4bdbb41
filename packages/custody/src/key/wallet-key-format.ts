import { fail, ok, type Result } from "../errors.ts";
import type { FamilyTable } from "../families/rules.ts";
import { familyOf, type Network } from "../network.ts";
import {
  type AskedFormat,
  ECDSA_FORMAT,
  EDDSA_FORMAT,
  fitsFormat,
  formatOf,
  type KeyFormat,
  type KeyScheme,
  schemeFor,
} from "./key-format.ts";

const OF_PSEUDO_NETWORK: ReadonlyMap<string, readonly KeyFormat[]> = new Map([
  ["KeyECDSA", [ECDSA_FORMAT]],
  ["KeyEdDSA", [EDDSA_FORMAT]],
]);

/**
 * The formats of keys that a network's wallets sign with, the default first; empty where the network's family
 * is not built.
 */
const keyFormatsOn = (families: FamilyTable, network: Network): readonly KeyFormat[] =>
  OF_PSEUDO_NETWORK.get(network) ?? families.find(familyOf(network))?.keyFormats ?? [];

/**
 * Judges the format of a new wallet's key. Without a requested format the network's default applies.
 * @returns the scheme for the signers to generate, or KeyFormatMismatch
 */
export const judgeWalletKeyFormat = (
  families: FamilyTable,
  network: Network,
  asked: AskedFormat,
): Result<KeyScheme> => {
  const formats = keyFormatsOn(families, network);
  const format = formats.find((each) => fitsFormat(asked, each));
  return format === undefined ? fail("KeyFormatMismatch", { network, formats }) : ok(schemeFor(format));
};

/**
 * Judges whether an existing key may sign for a wallet of a network.
 * @param asked the key's format in the request
 * @returns KeyFormatMismatch when the network's wallets do not sign with this key, or the request asks for
 * another format
 */
export const judgeKeyOnNetwork = (
  families: FamilyTable,
  network: Network,
  scheme: KeyScheme,
  asked: AskedFormat = {},
): Result<void> => {
  const formats = keyFormatsOn(families, network);
  const format = formatOf(scheme);
  // signing untweaked, nobody could prove that the outputs hide no script tree (BIP-341, BIP-86)
  return scheme !== "FROST-BIP340" && formats.includes(format) && fitsFormat(asked, format)
    ? ok(undefined)
    : fail("KeyFormatMismatch", { network, formats, key: format });
};

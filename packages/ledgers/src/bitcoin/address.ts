import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import type { BitcoindNetwork } from "./network.ts";
import { keyHashScript, scriptHashScript, witnessProgramScript } from "./script/make.ts";
import { kindOfScript, witnessProgramOf } from "./script/script-kind.ts";

const base58check = createBase58check(sha256);
const ADDRESS_CHARACTERS_MAX = 90;

const segwitScript = (text: string, network: BitcoindNetwork): Uint8Array | undefined => {
  for (const encoding of [bech32, bech32m]) {
    const decoded = encoding.decodeUnsafe(text, ADDRESS_CHARACTERS_MAX);
    if (decoded === undefined || decoded.prefix !== network.segwitPrefix) continue;
    const [version, ...words] = decoded.words;
    const program = encoding.fromWordsUnsafe(words);
    if (version === undefined || version > 16 || program === undefined) return undefined;
    if ((version === 0) !== (encoding === bech32)) return undefined;
    if (program.length < 2 || program.length > 40) return undefined;
    if (version === 0 && program.length !== 20 && program.length !== 32) return undefined;
    return witnessProgramScript(version, Uint8Array.from(program));
  }
  return undefined;
};

const base58Script = (text: string, network: BitcoindNetwork): Uint8Array | undefined => {
  try {
    const [prefix, ...hash] = base58check.decode(text);
    if (hash.length !== 20) return undefined;
    if (prefix === network.keyHashPrefix) return keyHashScript(Uint8Array.from(hash));
    return prefix === network.scriptHashPrefix ? scriptHashScript(Uint8Array.from(hash)) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * The script that pays an address.
 * @returns undefined if the text is no address of this network
 * @source BIP-173, BIP-350
 */
export const scriptPaying = (text: string, network: BitcoindNetwork): Uint8Array | undefined =>
  text.length > ADDRESS_CHARACTERS_MAX
    ? undefined
    : (segwitScript(text, network) ?? base58Script(text, network));

/** @returns undefined if the script has no address */
export const addressPaidBy = (script: Uint8Array, network: BitcoindNetwork): string | undefined => {
  const kind = kindOfScript(script);
  if (kind.kind === "pubkeyhash") {
    return base58check.encode(concatBytes(Uint8Array.of(network.keyHashPrefix), kind.hash));
  }
  if (kind.kind === "scripthash") {
    return base58check.encode(concatBytes(Uint8Array.of(network.scriptHashPrefix), kind.hash));
  }
  const witness = witnessProgramOf(script);
  if (witness === undefined || kind.kind === "nonstandard") return undefined;
  const encoding = witness.version === 0 ? bech32 : bech32m;
  return encoding.encode(network.segwitPrefix, [witness.version, ...encoding.toWords(witness.program)]);
};

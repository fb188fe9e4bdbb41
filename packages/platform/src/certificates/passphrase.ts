import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fail, ok, type Result } from "@conclave/custody";
import { Secret } from "@conclave/threshold";

const KEY_FILE = /^[0-9a-f]{64}$/;
const PASSPHRASE_CHARACTERS_MIN = 12;

/** The content of a new key file: 32 random bytes in hex. Write it with mode 0600. */
export const makePassphrase = (): Secret<string> => new Secret(randomBytes(32).toString("hex"));

/** The source of the passphrase: exactly one of the two fields. */
export interface PassphraseSource {
  /** path of a key file: 32 bytes in hex */
  readonly keyFile?: string | undefined;
  readonly passphrase?: string | undefined;
}

/**
 * Loads the passphrase that decrypts a process's keys and store.
 *
 * @returns refusal PassphraseMissing if neither or both are given, or the given one cannot be used
 */
export const loadPassphrase = async (source: PassphraseSource): Promise<Result<Secret<string>>> => {
  if ((source.keyFile === undefined) === (source.passphrase === undefined)) {
    return fail("PassphraseMissing", {}, "Set exactly one of CONCLAVE_KEY_FILE and CONCLAVE_PASSPHRASE.");
  }
  if (source.keyFile !== undefined) return readKeyFile(source.keyFile);
  const text = source.passphrase ?? "";
  return text.length < PASSPHRASE_CHARACTERS_MIN
    ? fail("PassphraseMissing", {}, `A passphrase has at least ${PASSPHRASE_CHARACTERS_MIN} characters.`)
    : ok(new Secret(text));
};

/**
 * Takes the passphrase out of a key file's text.
 *
 * @returns refusal PassphraseMissing
 */
export const passphraseIn = (text: string, path: string): Result<Secret<string>> => {
  const hex = text.trim();
  return KEY_FILE.test(hex)
    ? ok(new Secret(hex))
    : fail("PassphraseMissing", { path }, `The key file ${path} does not hold 32 bytes in hex.`);
};

const readKeyFile = async (path: string): Promise<Result<Secret<string>>> => {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return fail("PassphraseMissing", { path }, `The key file ${path} cannot be read.`);
  }
  return passphraseIn(text, path);
};

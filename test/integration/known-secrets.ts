import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredRecord } from "@conclave/cluster";
import { groupKeysIn, loadPassphrase, openPrivateKey, openTable, Vault } from "@conclave/platform";
import type { StateLayout } from "@conclave/testbed";
import {
  auxiliaryInfoCodec,
  CGGMP24,
  decode,
  type KeyShare,
  keyShareCodec,
  PRODUCTION_PARAMETERS,
  type Secret,
} from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import { z } from "zod";

/** A secret of a cluster: a name that a failed test may print, and its bytes. */
export interface KnownSecret {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const keyRecord = z.object({ share: z.string() });
const auxiliaryRecord = z.object({ info: z.string() });

/** The passphrase from a member's key file. */
const passphraseOf = async (folder: string): Promise<Secret<string>> => {
  const passphrase = await loadPassphrase({ keyFile: join(folder, "passphrase.key") });
  if (!passphrase.ok) throw new Error(passphrase.problem.message);
  return passphrase.value;
};

export const passphraseSecret = async (name: string, folder: string): Promise<KnownSecret> => ({
  name: `the passphrase of ${name}`,
  bytes: Buffer.from((await passphraseOf(folder)).reveal(), "hex"),
});

/** The secret scalar of a member's private key file. */
export const privateKeySecret = async (name: string, folder: string, file: string): Promise<KnownSecret> => {
  const key = openPrivateKey(readFileSync(join(folder, file), "utf8"), await passphraseOf(folder));
  if (!key.ok) throw new Error(key.problem.message);
  const { d } = key.value.export({ format: "jwk" });
  if (d === undefined) throw new Error(`${file} of ${name} holds no private key`);
  return { name: `${file} of ${name}`, bytes: Buffer.from(d, "base64url") };
};

/**
 * All records in the sealed store of a stopped signer.
 * @param store path of the store, if it was moved
 */
export const recordsOf = async (
  folder: string,
  store = join(folder, "vault"),
): Promise<readonly StoredRecord[]> => {
  const table = await openTable(store);
  if (!table.ok) throw new Error(table.problem.message);
  const groupKeys = groupKeysIn(store);
  const vault = await Vault.open(table.value, await passphraseOf(folder), groupKeys);
  if (!vault.ok) throw new Error(vault.problem.message);
  try {
    const records = await vault.value.list();
    if (!records.ok) throw new Error(records.problem.message);
    return records.value;
  } finally {
    await vault.value.close();
  }
};

const jsonOf = ({ value }: StoredRecord): unknown => JSON.parse(Buffer.from(value.reveal()).toString("utf8"));

const bytesOf = (value: bigint): Buffer => {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
};

const shareOf = (record: StoredRecord): KeyShare => {
  const share = decode(keyShareCodec(CGGMP24), Buffer.from(keyRecord.parse(jsonOf(record)).share, "hex"));
  if (!share.ok) throw new Error(`${record.record} holds no share`);
  return share.value;
};

/** A test cluster uses one of these parameter sets; each refuses moduli of the other's size. */
const PARAMETERS = [INSECURE_TEST_PARAMETERS, PRODUCTION_PARAMETERS] as const;

/** The secrets of a signer's auxiliary information, from its record. */
export const auxiliarySecrets = (signer: string, record: StoredRecord): readonly KnownSecret[] => {
  const bytes = Buffer.from(auxiliaryRecord.parse(jsonOf(record)).info, "hex");
  const info = PARAMETERS.map((parameters) => decode(auxiliaryInfoCodec(parameters), bytes)).find(
    ({ ok }) => ok,
  );
  if (info?.ok !== true) throw new Error(`${record.record} of ${signer} holds no auxiliary information`);
  const { paillier, pedersen } = info.value.own.reveal();
  return [
    { name: `a Paillier prime of ${signer}`, bytes: bytesOf(paillier.factors.p) },
    { name: `the other Paillier prime of ${signer}`, bytes: bytesOf(paillier.factors.q) },
    { name: `a ring-Pedersen prime of ${signer}`, bytes: bytesOf(pedersen.factors.p) },
    { name: `λ of ${signer}`, bytes: bytesOf(pedersen.lambda) },
  ];
};

/** The secrets of a stopped signer: its shares of keys, and the secrets of its auxiliary information. */
export const signerSecrets = async (
  layout: StateLayout,
  index: number,
): Promise<{ readonly shares: readonly KeyShare[]; readonly auxiliary: readonly KnownSecret[] }> => {
  const records = await recordsOf(layout.signer(index));
  return {
    shares: records.filter(({ record }) => record.startsWith("key/")).map(shareOf),
    auxiliary: records
      .filter(({ record }) => record.startsWith("auxiliary/"))
      .flatMap((record) => auxiliarySecrets(`signer-${index}`, record)),
  };
};

export const shareSecret = ({ self, secretShare, info }: KeyShare): KnownSecret => ({
  name: `the share of ${info.keyId} of signer-${self}`,
  bytes: bytesOf(secretShare.reveal()),
});

export const scalarSecret = (name: string, value: bigint): KnownSecret => ({ name, bytes: bytesOf(value) });

/** The encodings in which a secret is searched for: raw bytes, reversed, hex, base64 and decimal. */
export const formsOf = ({ bytes }: KnownSecret): readonly Buffer[] => {
  const raw = Buffer.from(bytes);
  const hex = raw.toString("hex");
  const texts = [
    hex,
    hex.toUpperCase(),
    raw.toString("base64").replace(/=+$/, ""),
    raw.toString("base64url"),
    BigInt(`0x${hex}`).toString(),
  ];
  return [raw, Buffer.from(raw).reverse(), ...texts.map((text) => Buffer.from(text))];
};

import { bytesToUtf8 } from "@noble/ciphers/utils.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, numberToBytesBE } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type GroupPoint, multiplyGenerator, SCALAR_BYTES } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { assignPositions, type ImportSigner } from "../import/assignment.ts";
import { encodeBase64 } from "../import/base64.ts";
import { importEncryptionKeyOf, parseEncryptionKey } from "../import/encryption-key.ts";
import { openImportEnvelope, sealImportEnvelope } from "../import/envelope.ts";
import type { Scheme } from "../scheme.ts";
import { Secret } from "../secret.ts";
import { evaluate, type Polynomial, samplePolynomial } from "../sharing/polynomial.ts";
import { hashFields } from "../transcript.ts";
import { seededEntropy } from "./seeded-entropy.ts";

/** INSECURE: the key by which a signer opens its entry of an import, the same in every run. */
export const insecureDecryptionKey = (party: PartyIndex): Secret<Uint8Array> =>
  new Secret(hashFields("insecure test decryption", [party]));

/** Signer ids whose order is not that of the parties: 2, 1, 4, 3, … */
export const testSignerId = (party: PartyIndex): Uint8Array => {
  const first = party % 2 === 0 ? party - 1 : party + 1;
  return Uint8Array.of(first, ...hashFields("test signer id", [party]).subarray(1));
};

export const testImportSigners = (parties: readonly PartyIndex[]): readonly ImportSigner[] =>
  parties.map((party) => ({ party, signerId: testSignerId(party) }));

/** The JSON that a client encrypts to one signer. */
export interface ClientPlaintext {
  readonly version: number;
  readonly secret_share: { readonly curve: string; readonly scalar: string } | string;
  readonly public_shares: readonly ({ readonly curve: string; readonly point: string } | string)[];
  readonly chain_code?: string | null;
}

export const scalarHex = (scalar: bigint): string => bytesToHex(numberToBytesBE(scalar, SCALAR_BYTES));

/** A point as clients encode it: uncompressed on secp256k1. */
export const pointHex = <P extends GroupPoint<P>>({ curve }: Scheme<P>, point: P): string =>
  curve.name === "secp256k1"
    ? secp256k1.Point.fromBytes(point.toBytes()).toHex(false)
    : bytesToHex(point.toBytes());

/** INSECURE: a polynomial, and so a key, that the seed determines. */
export const insecurePolynomial = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  threshold: number,
  seed = "import",
): Polynomial => samplePolynomial(scheme.curve, threshold, seededEntropy(`import client/${seed}`));

/** INSECURE: the plaintexts of a client that knows the key, for the signers 1 … n. */
export const insecurePlaintexts = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  parties: readonly PartyIndex[],
  polynomial: Polynomial,
  chainCode: Uint8Array | null = null,
): ReadonlyMap<PartyIndex, ClientPlaintext> =>
  plaintextsFor(scheme, testImportSigners(parties), polynomial, chainCode);

/** The plaintexts of a client that knows the key, for every signer of a listing. */
export const plaintextsFor = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  signers: readonly ImportSigner[],
  polynomial: Polynomial,
  chainCode: Uint8Array | null = null,
): ReadonlyMap<PartyIndex, ClientPlaintext> => {
  const { curve } = scheme;
  const assignment = assignPositions(signers);
  const positions = [...assignment.values()].sort((a, b) => a - b);
  const plaintext = (position: number): ClientPlaintext => ({
    version: 1,
    secret_share: { curve: curve.name, scalar: scalarHex(evaluate(curve, polynomial, position)) },
    public_shares: positions.map((at) => ({
      curve: curve.name,
      point: pointHex(scheme, multiplyGenerator(curve, evaluate(curve, polynomial, at))),
    })),
    chain_code: chainCode === null ? null : encodeBase64(chainCode),
  });
  return new Map([...assignment].map(([party, position]) => [party, plaintext(position)]));
};

/** Seals any plaintext for the signer that has this encryption key. */
export const sealTo = (encryptionKey: Uint8Array, plaintext: unknown, seed: string): Uint8Array => {
  const receiver = parseEncryptionKey(encryptionKey);
  if (receiver === undefined) throw new Error("an encryption key of ours is a point");
  const text = new Secret(utf8ToBytes(JSON.stringify(plaintext)));
  return sealImportEnvelope(text, receiver, seededEntropy(`import envelope/${seed}`));
};

/** Seals any plaintext for one of the signers 1 … n. */
export const sealFor = (party: PartyIndex, plaintext: unknown): Uint8Array =>
  sealTo(importEncryptionKeyOf(insecureDecryptionKey(party)), plaintext, `${party}`);

/** The JSON in an envelope. @throws Error when it does not open */
export const openedWith = (decryptionKey: Secret<Uint8Array>, envelope: Uint8Array): unknown => {
  const opened = openImportEnvelope(envelope, decryptionKey);
  if (!opened.ok) throw new Error(opened.reason);
  return JSON.parse(bytesToUtf8(opened.value.reveal()));
};

/** Seals a plaintext for every signer. */
export const sealForSigners = (
  plaintexts: ReadonlyMap<PartyIndex, unknown>,
): ReadonlyMap<PartyIndex, Uint8Array> =>
  new Map([...plaintexts].map(([party, plaintext]) => [party, sealFor(party, plaintext)]));

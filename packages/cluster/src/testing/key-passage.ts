import {
  type AuthorisedExport,
  type AuthorisedImport,
  authorisedExportSchema,
  authorisedImportSchema,
  type SignedAuthorisation,
} from "@conclave/custody";
import {
  CGGMP24,
  encodeBase64,
  type GroupPoint,
  type ImportSigner,
  importEncryptionKeyOf,
  importSignerIdOf,
  type PartyIndex,
  type Scheme,
} from "@conclave/threshold";
import {
  type ClientPlaintext,
  insecureDecryptionKey,
  insecurePolynomial,
  plaintextsFor,
  sealTo,
  seededEntropy,
  testParty,
} from "@conclave/threshold/testing";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { KeyExportResult, KeyGenerationResult } from "../coordinator/effect.ts";
import { openKeyExportCoordinator, stepKeyExportCoordinator } from "../coordinator/key-export/key-export.ts";
import { openKeyCoordinator, stepKeyCoordinator } from "../coordinator/key-generation/key-generation.ts";
import { KEY_ATTEMPT_MS, KEY_EXPORT_ATTEMPT_MS } from "../coordinator/limits.ts";
import type { Outcome, TestCluster } from "./cluster.ts";
import { keyIdOf, rosterOf, START_MS, sign } from "./fixtures.ts";
import { allHeldKeys } from "./held-keys.ts";

/** The key that clients import and export in tests. */
export const PASSING_KEY: string = keyIdOf(21);

const DATE = new Date(START_MS).toISOString();
const idOf = (prefix: string, number: number): string =>
  `${prefix}-aaaaa-bbbbb-${String(number).padStart(16, "0")}`;
const json = (value: unknown): Uint8Array => utf8ToBytes(JSON.stringify(value));

/** The signers as the API lists them for a client. */
export const listingOf = (size: number): readonly (ImportSigner & { readonly encryptionKey: Uint8Array })[] =>
  [...rosterOf(size)].map(([party, { importKey }]) => {
    if (importKey === undefined) throw new Error("the roster of tests has import keys");
    return { party, signerId: importSignerIdOf(importKey), encryptionKey: importKey };
  });

/** The plaintext that a client encrypts for each signer; of any form, so that tests can lie. */
export type Plaintexts = ReadonlyMap<PartyIndex, unknown>;
export type Envelopes = ReadonlyMap<PartyIndex, Uint8Array>;

/** INSECURE: shares of a key that follow from the seed. */
export const dealtFor = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  size: number,
  threshold: number,
  seed = "import",
): ReadonlyMap<PartyIndex, ClientPlaintext> =>
  plaintextsFor(scheme, listingOf(size), insecurePolynomial(scheme, threshold, seed));

/** @param seed of the client's ephemeral keys */
export const sealAll = (plaintexts: Plaintexts, seed = "cluster"): Envelopes => {
  const listing = listingOf(plaintexts.size);
  return new Map(
    listing.map(({ party, encryptionKey }) => [
      party,
      sealTo(encryptionKey, plaintexts.get(party), `${seed}/${party}`),
    ]),
  );
};

/** Envelopes of an honest client that deals and encrypts an ECDSA key. */
export const honestEnvelopes = (size = 5, threshold = 3): Envelopes =>
  sealAll(dealtFor(CGGMP24, size, threshold));

export type ImportTerms = Pick<AuthorisedImport, "scheme" | "protocol" | "curve">;
const ECDSA_TERMS: ImportTerms = { scheme: "ECDSA", protocol: "CGGMP24", curve: "secp256k1" };

/** Every share as the authority names it, in the order that clients use. */
export const sharesOf = (envelopes: Envelopes): AuthorisedImport["shares"] =>
  [...listingOf(envelopes.size)]
    .sort((a, b) => (bytesToHex(a.signerId) < bytesToHex(b.signerId) ? -1 : 1))
    .map(({ party, signerId }) => ({
      signerId: encodeBase64(signerId),
      digest: bytesToHex(sha256(envelopes.get(party) ?? new Uint8Array(0))),
    }));

export const authoriseImport = (
  envelopes: Envelopes,
  change: Partial<Record<keyof AuthorisedImport, unknown>> = {},
): SignedAuthorisation =>
  sign(
    json(
      authorisedImportSchema.parse({
        version: 1,
        kind: "key-import",
        requestId: idOf("kim", 1),
        orgId: idOf("or", 1),
        keyId: PASSING_KEY,
        ...ECDSA_TERMS,
        threshold: 3,
        shares: sharesOf(envelopes),
        policy: { outcome: "Allowed", policies: [], date: DATE },
        dateRequested: DATE,
        ...change,
      }),
    ),
  );

/** The client to which keys are exported. */
export const CLIENT = insecureDecryptionKey(testParty(63));

export const authoriseExport = (
  change: Partial<Record<keyof AuthorisedExport, unknown>> = {},
): SignedAuthorisation =>
  sign(
    json(
      authorisedExportSchema.parse({
        version: 1,
        kind: "key-export",
        requestId: idOf("kex", 1),
        orgId: idOf("or", 1),
        keyId: PASSING_KEY,
        protocol: "CGGMP24",
        curve: "secp256k1",
        encryptionKey: bytesToHex(importEncryptionKeyOf(CLIENT)),
        withChainCode: false,
        policy: { outcome: "Allowed", policies: [], date: DATE },
        dateRequested: DATE,
        ...change,
      }),
    ),
  );
export const exportIdOf = (number: number): string => idOf("kex", number);
export const organisationOf = (number: number): string => idOf("or", number);

interface ImportWish {
  readonly envelopes: Envelopes;
  /** changes of the authorised fields */
  readonly change?: Partial<Record<keyof AuthorisedImport, unknown>>;
  /** the envelopes that the orchestrator passes on in place of the authorised ones */
  readonly handedOn?: Envelopes;
  readonly seed?: string;
}

/** Has a coordinator import a key, and continue with shares that live signers already hold. */
export const importOn = (
  cluster: TestCluster,
  { envelopes, change = {}, handedOn = envelopes, seed = "1" }: ImportWish,
): Outcome<KeyGenerationResult> => {
  const [node] = cluster.nodes.values();
  const threshold = node?.threshold ?? 0;
  const keyId = String(change.keyId ?? PASSING_KEY);
  const held = new Map(
    [...cluster.nodes.values()].flatMap((node) => {
      const { self } = node;
      const keys = allHeldKeys(node);
      const key = keys.find((each) => each.keyId === keyId);
      return key === undefined ? [] : [[self, key] as const];
    }),
  );
  const config = {
    roster: rosterOf(cluster.nodes.size),
    keyId,
    authorisation: authoriseImport(envelopes, { threshold, ...change }),
    brought: { envelopes: handedOn, threshold, taken: new Map() },
    entropy: seededEntropy(`import-coordinator/${seed}`),
    attemptMs: KEY_ATTEMPT_MS,
    ...cluster.coordinatorClock,
    yields: true,
  };
  return cluster.drive({
    open: (known, nowMs) => openKeyCoordinator(config, { ...known, held }, nowMs),
    step: stepKeyCoordinator,
  });
};

/** Has a coordinator export a key to the client. */
export const exportOn = (
  cluster: TestCluster,
  {
    seed = "1",
    ...change
  }: { readonly seed?: string } & Partial<Record<keyof AuthorisedExport, unknown>> = {},
): Outcome<KeyExportResult> => {
  const [node] = cluster.nodes.values();
  const { keyId = PASSING_KEY } = change;
  const config = {
    roster: rosterOf(cluster.nodes.size),
    threshold: node?.threshold ?? 0,
    keyId: String(keyId),
    authorisation: authoriseExport(change),
    entropy: seededEntropy(`export-coordinator/${seed}`),
    attemptMs: KEY_EXPORT_ATTEMPT_MS,
    ...cluster.coordinatorClock,
  };
  return cluster.drive({
    open: (known, nowMs) => openKeyExportCoordinator(config, known, nowMs),
    step: stepKeyExportCoordinator,
  });
};

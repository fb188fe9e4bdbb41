import { generateKeyPairSync, sign } from "node:crypto";
import {
  attestationBytes,
  type CreatingKey,
  type KeyAttestation,
  keyIdSchema,
  organisationIdSchema,
  type StatedKey,
  statementBytes,
  userIdSchema,
} from "@conclave/custody";
import {
  type Database,
  doneSubject,
  freshId,
  insertAttestedKey,
  insertKey,
  insertOrganisation,
  makeLogger,
  openDatabase,
  readKey,
  readKeyAttestations,
} from "@conclave/platform";
import { freshDatabase } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startKeyActivation } from "./activation.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const PUBLIC_KEY = `02${"ab".repeat(32)}`;
const identities = [1, 2, 3].map((index) => ({ index, ...generateKeyPairSync("ed25519") }));
const roster = {
  clusterId: "test",
  threshold: 2,
  signers: identities.map(({ index, publicKey }) => {
    const { x = "" } = publicKey.export({ format: "jwk" });
    const identityKey = Buffer.from(x, "base64url").toString("hex");
    return { index, id: `signer-${index}`, address: "127.0.0.1:1", identityKey, encryptionKey: "" };
  }),
};

let database: Database;
let key: CreatingKey;
beforeAll(async () => {
  database = openDatabase({ url: await freshDatabase("migrated"), name: "test" });
});
afterAll(() => database.close());
beforeEach(async () => {
  const orgId = freshId(organisationIdSchema, "or");
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: DATE });
  key = {
    id: freshId(keyIdSchema, "key"),
    orgId,
    name: undefined,
    scheme: "ECDSA",
    origin: "generated",
    requester: { userId: freshId(userIdSchema, "us") },
    authorisation: { payload: Uint8Array.of(1, 2), signature: new Uint8Array(64) },
    isDelegable: false,
    delegatedTo: undefined,
    dateCreated: DATE,
    status: "Creating",
  };
  await insertKey(database, key);
});

/** The key's state after orchestrators reported these attestations. */
const keyAfter = async (attestations: readonly KeyAttestation[]) => {
  const signalled: string[] = [];
  const activation = startKeyActivation({
    world: processWorld,
    database,
    roster,
    addressOn: () => undefined,
    signal: (subject) => void signalled.push(subject),
    now: () => new Date(DATE),
    logger: makeLogger({ name: "test", level: "silent" }),
  });
  const claim = { keyId: key.id, publicKey: PUBLIC_KEY, attestations };
  await database.transaction((connection) => insertAttestedKey(connection, claim));
  await expect.poll(() => signalled).toEqual([doneSubject(key.id)]);
  await activation.stop();
  return readKey(database, key.id);
};
/** Each signer's attestation, with a statement, or in the form of the previous version. */
const attestations = (change: Partial<StatedKey> | "older" = {}): readonly KeyAttestation[] => {
  const { id: keyId, orgId, origin, scheme } = key;
  const said = attestationBytes({ keyId, scheme, publicKey: PUBLIC_KEY });
  return identities.map(({ index, privateKey }) => {
    const signed = (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey));
    if (change === "older") return { signature: signed(said) };
    const cluster = { cluster: "test", threshold: 2, total: 3 };
    const made = { orgId, keyId, origin, scheme, publicKey: PUBLIC_KEY, date: DATE };
    const statement = statementBytes({ ...cluster, ...made, ...change, signer: index });
    return { signature: signed(said), stated: { statement, signature: signed(statement) } };
  });
};
const bytesOf = (said: readonly KeyAttestation[]) =>
  said.map(({ signature, stated }) =>
    [signature, stated?.statement, stated?.signature].map(
      (bytes) => bytes && Buffer.from(bytes).toString("hex"),
    ),
  );

test("a key that all signers of the roster attested becomes active, its caller is signalled, and what they said is kept", async () => {
  expect(await keyAfter(attestations())).toMatchObject({ status: "Active", publicKey: PUBLIC_KEY });
  expect(bytesOf(await readKeyAttestations(database, key.id))).toEqual(bytesOf(attestations()));
});

test("a key that signers of the version before attested becomes active, and what they said is kept", async () => {
  expect(await keyAfter(attestations("older"))).toMatchObject({ status: "Active" });
  expect(bytesOf(await readKeyAttestations(database, key.id))).toEqual(bytesOf(attestations("older")));
});

test("INV-8 a key that one signer of the roster did not sign fails, and its caller is signalled", async () => {
  const details = { signers: ["signer-3"] };
  const failed = { status: "Failed", problem: { code: "KeyGenerationFailed", details } };
  expect(await keyAfter(attestations().slice(0, 2))).toMatchObject(failed);
  expect(await readKeyAttestations(database, key.id)).toEqual([]);
});

test("INV-8 a key that a client brought and that was to be generated fails", async () => {
  const details = { signers: ["signer-1", "signer-2", "signer-3"] };
  const failed = { status: "Failed", problem: { code: "KeyGenerationFailed", details } };
  expect(await keyAfter(attestations({ origin: "imported" }))).toMatchObject(failed);
});

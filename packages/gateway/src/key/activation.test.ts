import { generateKeyPairSync, sign } from "node:crypto";
import {
  attestationBytes,
  type CreatingKey,
  keyIdSchema,
  organisationIdSchema,
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
} from "@conclave/platform";
import { freshDatabase } from "@conclave/platform/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startKeyActivation } from "./activation.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const PUBLIC_KEY = `02${"ab".repeat(32)}`;
const identities = [1, 2, 3].map((index) => ({ index, ...generateKeyPairSync("ed25519") }));
const roster = {
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

/** What becomes of the key once these signatures are told. */
const told = async (signatures: readonly Uint8Array[]) => {
  const signalled: string[] = [];
  const activation = startKeyActivation({
    database,
    roster,
    addressOn: () => undefined,
    signal: (subject) => void signalled.push(subject),
    now: () => new Date(DATE),
    logger: makeLogger({ name: "test", level: "silent" }),
  });
  const claim = { keyId: key.id, publicKey: PUBLIC_KEY, signatures };
  await database.transaction((connection) => insertAttestedKey(connection, claim));
  await expect.poll(() => signalled).toEqual([doneSubject(key.id)]);
  await activation.stop();
  return readKey(database, key.id);
};
const signatures = (): Uint8Array[] => {
  const said = attestationBytes({ keyId: key.id, scheme: key.scheme, publicKey: PUBLIC_KEY });
  return identities.map(({ privateKey }) => new Uint8Array(sign(null, said, privateKey)));
};

test("a key that all signers of the roster signed becomes active, and its caller is signalled", async () => {
  expect(await told(signatures())).toMatchObject({ status: "Active", publicKey: PUBLIC_KEY });
});

test("INV-8 a key that one signer of the roster did not sign fails, and its caller is signalled", async () => {
  const details = { signers: ["signer-3"] };
  const failed = { status: "Failed", problem: { code: "KeyGenerationFailed", details } };
  expect(await told(signatures().slice(0, 2))).toMatchObject(failed);
});

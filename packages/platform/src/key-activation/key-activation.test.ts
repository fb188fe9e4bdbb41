import { generateKeyPairSync, sign } from "node:crypto";
import {
  type AttestedKey,
  attestationBytes,
  type CreatingKey,
  type CreatingWallet,
  hasAddresses,
  type KeyId,
  type Network,
  networkSchema,
  organisationIdSchema,
} from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { freshId } from "../fresh-id.ts";
import { doneSubject } from "../nats/index.ts";
import {
  type Database,
  insertAttestedKey,
  insertKeyImport,
  insertOrganisation,
  insertWallet,
  listEvents,
  openDatabase,
  readAttestedKeys,
  readKey,
  readKeyImport,
  readWallet,
} from "../postgres/index.ts";
import { makeLogger } from "../telemetry/index.ts";
import { freshDatabase } from "../testing/index.ts";
import { sampleKey, sampleWallet, storeWallet } from "../testing/sample-wallet.ts";
import { activateTold } from "./activate.ts";
import { startKeyActivation } from "./index.ts";

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
let wallet: CreatingWallet;
let key: CreatingKey;
let signalled: string[];

beforeAll(async () => {
  database = openDatabase({ url: await freshDatabase("migrated"), name: "test" });
});
afterAll(() => database.close());
beforeEach(async () => {
  const orgId = freshId(organisationIdSchema, "or");
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: DATE });
  wallet = sampleWallet(orgId);
  key = sampleKey(wallet);
  await storeWallet(database, wallet, key);
  signalled = [];
});

const activation = () => ({
  database,
  roster,
  addressOn: (network: Network, publicKey: string) =>
    hasAddresses(network) ? `${network}/${publicKey.slice(0, 6)}` : undefined,
  signal: (subject: string) => void signalled.push(subject),
  now: () => new Date(DATE),
  logger: makeLogger({ name: "test", level: "silent" }),
});

const signatures = (attested: AttestedKey): Uint8Array[] =>
  identities.map(({ privateKey }) => new Uint8Array(sign(null, attestationBytes(attested), privateKey)));
const attested = (change: Partial<AttestedKey> = {}): AttestedKey => ({
  keyId: key.id,
  scheme: key.scheme,
  publicKey: PUBLIC_KEY,
  ...change,
});
const tell = (said: readonly Uint8Array[], keyId: KeyId = key.id) =>
  database.transaction((connection) =>
    insertAttestedKey(connection, { keyId, publicKey: PUBLIC_KEY, signatures: said }),
  );

test("a key that all signers of the roster sign comes to be, with its wallets, their addresses and events", async () => {
  const pseudo = sampleWallet(key.orgId, { keyId: key.id, network: networkSchema.parse("KeyECDSA") });
  await database.transaction((connection) => insertWallet(connection, pseudo));
  await tell(signatures(attested()));
  expect(await activateTold(activation(), key.id)).toBe(true);
  expect(await readKey(database, key.id)).toMatchObject({ status: "Active", publicKey: PUBLIC_KEY });
  const address = "EthereumSepolia/02abab";
  expect(await readWallet(database, wallet.id)).toMatchObject({ status: "Active", address });
  const kinds = [...(await listEvents(database, key.id)), ...(await listEvents(database, wallet.id))];
  expect(kinds.map(({ kind }) => kind)).toEqual(["key.created", "wallet.created"]);
  expect([signalled, await readAttestedKeys(database, 10)]).toEqual([[doneSubject(key.id)], []]);
});

const [other, zeros] = [generateKeyPairSync("ed25519"), new Uint8Array(64)];
const withThird = (signature: Uint8Array): Uint8Array[] => [...signatures(attested()).slice(0, 2), signature];

test.each<[string, () => Uint8Array[], string[]]>([
  ["the last signer said nothing", () => signatures(attested()).slice(0, 2), ["signer-3"]],
  ["its word is zeros", () => withThird(zeros), ["signer-3"]],
  ["its word is half a signature", () => withThird(zeros.slice(32)), ["signer-3"]],
  ["its word is another signer's", () => withThird(signatures(attested())[0] ?? zeros), ["signer-3"]],
  [
    "its word is of an identity that the roster does not pin",
    () => withThird(new Uint8Array(sign(null, attestationBytes(attested()), other.privateKey))),
    ["signer-3"],
  ],
  ["their words come in another order", () => signatures(attested()).reverse(), ["signer-1", "signer-3"]],
  [
    "they speak of another public key",
    () => signatures(attested({ publicKey: `03${"ab".repeat(32)}` })),
    ["signer-1", "signer-2", "signer-3"],
  ],
  [
    "they speak of another key",
    () => signatures(attested({ keyId: "key-aaaaa-bbbbb-0000000000000001" })),
    ["signer-1", "signer-2", "signer-3"],
  ],
  [
    "they speak of another scheme",
    () => signatures(attested({ scheme: "FROST-BIP340" })),
    ["signer-1", "signer-2", "signer-3"],
  ],
])("INV-8 a key does not come to be when %s, and those are named", async (_, said, signers) => {
  await tell(said());
  await activateTold(activation(), key.id);
  const problem = { code: "KeyGenerationFailed", details: { signers } };
  expect(await readKey(database, key.id)).toMatchObject({ status: "Failed", problem });
  expect(await readWallet(database, wallet.id)).toMatchObject({ status: "Failed", problem });
  expect([await listEvents(database, key.id), signalled]).toEqual([[], [doneSubject(key.id)]]);
});

test("what is told of a key that is there already, or failed, changes nothing", async () => {
  await tell(signatures(attested()));
  await activateTold(activation(), key.id);
  const made = await readKey(database, key.id);
  await tell([zeros]);
  await activateTold(activation(), key.id);
  expect(await readKey(database, key.id)).toEqual(made);
  expect(await activateTold(activation(), key.id)).toBe(false);
  expect(await readAttestedKeys(database, 10)).toEqual([]);
});

test("what is told first stands: nobody tells another public key over it", async () => {
  await tell(signatures(attested()));
  await tell([zeros]);
  await activateTold(activation(), key.id);
  expect(await readKey(database, key.id)).toMatchObject({ status: "Active" });
});

test("a key that a client brings twice comes to be once, and what was encrypted is forgotten each time", async () => {
  const twins = [1, 2].map(() => sampleKey(sampleWallet(key.orgId), { origin: "imported" }));
  for (const twin of twins) {
    await storeWallet(database, sampleWallet(key.orgId, { keyId: twin.id }), twin);
    await database.transaction((connection) => insertKeyImport(connection, twin.id, [zeros]));
    await tell(signatures(attested({ keyId: twin.id })), twin.id);
  }
  await Promise.all(twins.map(({ id }) => activateTold(activation(), id)));
  const found = await Promise.all(twins.map(({ id }) => readKey(database, id)));
  expect(found.map((each) => each?.status).sort()).toEqual(["Active", "Failed"]);
  expect(found.find((each) => each?.status === "Failed")).toMatchObject({
    problem: { code: "KeyImportDuplicate" },
  });
  for (const { id } of twins) expect(await readKeyImport(database, id)).toBeUndefined();
});

test("many activate side by side: each key comes to be once, as soon as it is told of", async () => {
  const running = [1, 2, 3].map(() => startKeyActivation(activation()));
  await tell(signatures(attested()));
  await expect.poll(() => signalled).toEqual([doneSubject(key.id)]);
  await Promise.all(running.map((each) => each.stop()));
  expect((await listEvents(database, key.id)).map(({ kind }) => kind)).toEqual(["key.created"]);
});

test("one that cannot be activated now stays as it is, keeps no other from it, and is tried again", async () => {
  const second = sampleWallet(key.orgId, { network: networkSchema.parse("Polygon") });
  await storeWallet(database, second);
  await tell(signatures(attested()));
  await tell(signatures(attested({ keyId: second.keyId })), second.keyId);
  let fails = true;
  const addressOn = (network: string): string => {
    if (fails && network === wallet.network) throw new Error("not now");
    return "0x";
  };
  const running = startKeyActivation({ ...activation(), addressOn });
  const statusOf = async (id: KeyId) => (await readKey(database, id))?.status;
  await expect.poll(() => statusOf(second.keyId)).toBe("Active");
  expect(await statusOf(key.id)).toBe("Creating");
  fails = false;
  await expect.poll(() => statusOf(key.id), { timeout: 5_000 }).toBe("Active");
  await running.stop();
});

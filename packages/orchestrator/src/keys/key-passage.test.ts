import { SEPOLIA, TEST_SECRET_KEY, testAccount } from "@conclave/chains/testing";
import {
  AUTHORISATION_AGE_MS_MAX,
  type CreatingKey,
  type KeyId,
  keyExportIdSchema,
  keyIdSchema,
  networkSchema,
  organisationIdSchema,
  userIdSchema,
  type World,
  walletIdSchema,
} from "@conclave/custody";
import {
  type Database,
  freshId,
  insertKey,
  insertKeyExport,
  insertKeyImport,
  insertOrganisation,
  insertWallet,
  listEvents,
  makeIdentity,
  makeLogger,
  makePassphrase,
  openDatabase,
  readAttestedKeys,
  readKey,
  readKeyExport,
  readKeyImport,
  readWallet,
  type Subscription,
} from "@conclave/platform";
import { Signers } from "@conclave/platform/coordination";
import { orchestratorLogin, type PostgresServer, startPostgresServer } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { Coordinators } from "../coordinators.ts";
import type { Disposition, HeldRequest } from "../queue/disposition.ts";
import { FakeSigners, identityKeyOf } from "../testing/fake-signers.ts";
import { activateAsGateway } from "../testing/key-activation.ts";
import { lookAtKeyExport } from "./key-exports.ts";
import { lookAtKey } from "./keys.ts";

const date = new Date().toISOString();
const policy = { outcome: "Allowed", policies: [], date };
const network = { ...SEPOLIA, family: "Evm", rpcUrl: "http://127.0.0.1:1", confirmations: 1 } as const;
const account = testAccount(TEST_SECRET_KEY);
const publicKey = Buffer.from(account.publicKey).toString("hex");
const passphrase = makePassphrase();
const logger = makeLogger({ name: "test", level: "silent" });
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const roster = {
  clusterId: "test",
  threshold: 2,
  signers: [1, 2, 3].map((index) => {
    const { encryptionKey, importKey } = makeIdentity(passphrase);
    return {
      index,
      id: `signer-${index}`,
      address: "127.0.0.1:1",
      identityKey: identityKeyOf(index),
      encryptionKey: hex(encryptionKey),
      importKey: hex(importKey),
    };
  }),
};
const PATIENCE = { timeout: 20_000, interval: 20 };
/** Bytes that fake signers accept as a share, and bytes that they refuse. */
const [SHARE, NONE] = [Uint8Array.of(1), new Uint8Array(0)];

let server: PostgresServer;
let database: Database;
let own: Database;
let fake: FakeSigners;
let signers: Signers;
let coordinators: Coordinators;
let signalled: string[];
let stocked: string[];
let organisation: CreatingKey["orgId"];
let activation: Subscription;

beforeAll(async () => {
  server = await startPostgresServer();
  const { url } = await server.createDatabase();
  database = openDatabase({ url, name: "test" });
  own = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
  activation = startActivation();
});
/** Activates keys as a running gateway does. */
const startActivation = (): Subscription =>
  activateAsGateway(database, roster.signers, (subject) => signalled.push(subject));
afterAll(async () => {
  await activation.stop();
  await Promise.all([database.close(), own.close()]);
  await server.stop();
});
beforeEach(async () => {
  organisation = freshId(organisationIdSchema, "or");
  await insertOrganisation(database, { id: organisation, name: "Acme", dateCreated: date });
  [signalled, stocked] = [[], []];
  fake = new FakeSigners(3, account, network);
  signers = new Signers(processWorld, roster, fake.signers);
  signers.start();
  coordinators = new Coordinators(
    processWorld,
    roster,
    signers,
    ({ verdict }) => expect.fail(verdict.check),
    logger,
  );
  await expect.poll(() => signers.live().length).toBe(3);
});
afterEach(async () => {
  await coordinators.stop();
  signers.close();
});

const authorised = (request: object) => ({
  payload: new Uint8Array(
    Buffer.from(JSON.stringify({ version: 1, orgId: organisation, policy, dateRequested: date, ...request })),
  ),
  signature: new Uint8Array(64),
});

/** Stores a key that a client imports as the gateway does, with a wallet that waits for it. */
const bring = async (envelope: Uint8Array, orgId = organisation) => {
  const id = freshId(keyIdSchema, "key");
  const shares = roster.signers.map(() => ({ signerId: "AAAA", digest: "ab".repeat(32) }));
  const words = { scheme: "ECDSA", protocol: "CGGMP24", curve: "secp256k1", threshold: 2, shares };
  const requestId = "kim-aaaaa-bbbbb-0000000000000001";
  const requester = { userId: freshId(userIdSchema, "us") };
  const common = { orgId, name: undefined, requester, dateCreated: date, status: "Creating" } as const;
  await insertKey(database, {
    ...common,
    id,
    scheme: "ECDSA",
    origin: "imported",
    authorisation: authorised({ kind: "key-import", requestId, keyId: id, ...words }),
    isDelegable: false,
    delegatedTo: undefined,
  });
  const walletId = freshId(walletIdSchema, "wa");
  await insertWallet(database, {
    ...common,
    id: walletId,
    keyId: id,
    network: networkSchema.parse("KeyECDSA"),
    externalId: undefined,
    tags: [],
    requestBody: {},
  });
  await insertKeyImport(
    database,
    id,
    roster.signers.map(() => envelope),
  );
  return { id, walletId };
};

/** Looks at the key as often as it is due; a gateway activates it once signers made it. */
const deliver = async (keyId: KeyId, attempt = 1): Promise<Disposition> => {
  const disposition = await vi.waitFor(async () => {
    const handled = await handle(keyId, attempt);
    if (handled.kind === "Again") throw new Error("it is to be looked at again");
    return handled;
  }, PATIENCE);
  await expect.poll(async () => (await readKey(database, keyId))?.status).not.toBe("Creating");
  return disposition;
};

const handle = (
  keyId: string,
  attempt: number,
  isHeld: () => boolean = () => true,
  world: World = processWorld,
  lock: HeldRequest["lock"] = async () => true,
): Promise<Disposition> =>
  lookAtKey({
    database: own,
    networks: new Set<string>(),
    signers,
    coordinators,
    signal: (subject) => signalled.push(subject),
    made: (id) => stocked.push(id),
    logger,
    world,
  })({ id: keyId, attempt, isHeld, lock });

const heldBy = (keyId: string) => fake.signers.map(({ store }) => store.keys.get(keyId)?.state ?? "absent");

test("a key that a client brings is active with its wallet, and what was encrypted is forgotten", async () => {
  const { id, walletId } = await bring(SHARE);
  expect(await deliver(id)).toEqual({ kind: "Done" });
  expect(await readKey(database, id)).toMatchObject({ status: "Active", origin: "imported", publicKey });
  expect(await readWallet(database, walletId)).toMatchObject({
    status: "Active",
    signingKey: { isImported: true },
  });
  expect(await readKeyImport(database, id)).toBeUndefined();
  expect((await listEvents(database, id)).map(({ kind }) => kind)).toEqual(["key.created"]);
  expect([stocked, signalled.length]).toEqual([[id], 1]);
});

test("a key that a signer cannot be asked about is reported later, without another session", async () => {
  const [first] = fake.signers;
  if (first === undefined) throw new Error("there are three signers");
  first.attests = "unreachable";
  const { id } = await bring(SHARE);
  expect(await handle(id, 1)).toMatchObject({ kind: "Again" });
  expect([await readAttestedKeys(database, 10), (await readKey(database, id))?.status]).toEqual([
    [],
    "Creating",
  ]);
  const sessions = fake.sessions;
  first.attests = "yes";
  await deliver(id, 2);
  expect(await readKey(database, id)).toMatchObject({ status: "Active" });
  expect([fake.sessions, stocked]).toEqual([sessions, [id]]);
});

test("INV-5 a key of which a signer does not say what it holds waits: no share that is active already is orphaned", async () => {
  const [first] = fake.signers;
  if (first === undefined) throw new Error("there are three signers");
  const { id } = await bring(SHARE);
  for (const { store } of fake.signers) {
    store.keys.set(id, { state: "active", publicKey: account.publicKey, isImported: true });
  }
  first.listsKeys = false;
  const sessions = fake.sessions;
  expect(await handle(id, 1)).toMatchObject({ kind: "Again" });
  expect([fake.sessions, (await readKey(database, id))?.status]).toEqual([sessions, "Creating"]);
  first.listsKeys = true;
  await deliver(id, 2);
  expect(await readKey(database, id)).toMatchObject({ status: "Active" });
  expect([fake.sessions, heldBy(id)]).toEqual([sessions, ["active", "active", "active"]]);
});

test("INV-5 a key whose authorisation grew old waits, and is made once the gateway has signed it anew", async () => {
  const { id } = await bring(SHARE);
  const authorise = async (agoMs: number): Promise<void> => {
    const key = (await readKey(database, id)) ?? expect.fail("no key");
    const text = Buffer.from(key.authorisation.payload).toString("utf8");
    const dateAuthorised = new Date(Date.now() - agoMs).toISOString();
    const payload = JSON.stringify({ ...z.looseObject({}).parse(JSON.parse(text)), dateAuthorised });
    await database.execute("update keys set authorisation = $2 where id = $1", [id, Buffer.from(payload)]);
  };
  await authorise(AUTHORISATION_AGE_MS_MAX);
  const sessions = fake.sessions;
  expect(await handle(id, 1)).toMatchObject({ kind: "Again" });
  expect([fake.sessions, (await readKey(database, id))?.status]).toEqual([sessions, "Creating"]);
  await authorise(0);
  await deliver(id, 2);
  expect(await readKey(database, id)).toMatchObject({ status: "Active" });
});

test("a key of which a signer has lost its share at once fails with the signer's name", async () => {
  const second = fake.signers[1];
  if (second === undefined) throw new Error("there are three signers");
  second.attests = "holds none";
  const { id } = await bring(SHARE);
  await deliver(id);
  const details = { reason: "KeyUnknown", signer: "signer-2" };
  expect(await readKey(database, id)).toMatchObject({ problem: { code: "KeyImportFailed", details } });
});

test("INV-5 a key that signers are about to have made for another process is not discarded at those who have it", async () => {
  const { id } = await bring(SHARE);
  const hold = (...holders: FakeSigners["signers"]): void => {
    for (const { store } of holders)
      store.keys.set(id, { state: "pending", publicKey: account.publicKey, isImported: true });
  };
  const [first, ...others] = fake.signers;
  if (first === undefined) throw new Error("there are three signers");
  hold(first);
  const sessions = fake.sessions;
  const finishing: World = { ...processWorld, sleep: async () => hold(...others) };
  expect(await handle(id, 2, () => true, finishing)).toEqual({ kind: "Done" });
  expect([fake.sessions, heldBy(id)]).toEqual([sessions, ["active", "active", "active"]]);
  await expect.poll(async () => (await readKey(database, id))?.status).toBe("Active");
});

test("INV-5 a process that lost a key to another one while it waited does not say that it failed", async () => {
  const { id } = await bring(NONE);
  expect(await handle(id, 1, () => false)).toMatchObject({ kind: "Again" });
  // taken over while it was paused between the look at its own clock and the write
  expect(
    await handle(
      id,
      1,
      () => true,
      processWorld,
      async () => false,
    ),
  ).toMatchObject({ kind: "Again" });
  expect([(await readKey(database, id))?.status, signalled]).toEqual(["Creating", []]);
  await deliver(id, 2);
  expect(await readKey(database, id)).toMatchObject({ status: "Failed" });
});

test("shares that are none fail with the signer and the field, and nothing is left anywhere", async () => {
  const { id, walletId } = await bring(NONE);
  expect(await deliver(id)).toEqual({ kind: "Done" });
  const issue = { signer: "signer-1", field: "encryptedKeyShare" };
  const problem = { code: "KeyImportRefused", details: { issues: [issue] } };
  expect(await readKey(database, id)).toMatchObject({ status: "Failed", problem });
  expect(await readWallet(database, walletId)).toMatchObject({ status: "Failed", problem });
  await expect.poll(() => heldBy(id)).toEqual(["absent", "absent", "absent"]);
  expect(await readKeyImport(database, id)).toBeUndefined();
  expect([await listEvents(database, id), stocked]).toEqual([[], []]);
});

test("a signer whose connection broke a moment ago is waited for", async () => {
  fake.kill(2);
  await expect.poll(() => signers.live().length).toBe(2);
  const waits = vi.spyOn(signers, "onChange");
  const { id } = await bring(SHARE);
  const delivered = deliver(id);
  await expect.poll(() => waits.mock.calls.length).toBe(1);
  fake.revive(2);
  await delivered;
  expect(await readKey(database, id)).toMatchObject({ status: "Active" });
});

test("a signer that is away fails an import, by its name", async () => {
  fake.kill(2);
  await expect.poll(() => signers.live().length).toBe(2);
  const { id } = await bring(SHARE);
  await deliver(id);
  expect(await readKey(database, id)).toMatchObject({
    problem: { code: "SignersUnavailable", details: { unavailable: ["signer-2"] } },
  });
  expect(await readKeyImport(database, id)).toBeUndefined();
});

test("the same key a second time is refused with the id of the first, and no signer keeps it", async () => {
  const first = await bring(SHARE);
  await deliver(first.id);
  const second = await bring(SHARE);
  await deliver(second.id);
  expect(await readKey(database, second.id)).toMatchObject({
    status: "Failed",
    problem: { code: "KeyImportDuplicate", details: { duplicate: { id: first.id } } },
  });
  await expect.poll(() => heldBy(second.id)).toEqual(["absent", "absent", "absent"]);
  expect(heldBy(first.id)).toEqual(["active", "active", "active"]);
  expect(stocked).toEqual([first.id]);
});

test("of two imports of one key at once, one comes to be, and no signer keeps anything of the other", async () => {
  const both = [await bring(SHARE), await bring(SHARE)];
  await Promise.all(both.map(({ id }) => deliver(id)));
  const keys = await Promise.all(
    both.map(async ({ id }) => (await readKey(database, id)) ?? expect.fail(id)),
  );
  expect(keys.map(({ status }) => status).sort()).toEqual(["Active", "Failed"]);
  for (const { id, status } of keys) {
    const state = status === "Active" ? "active" : "absent";
    await expect.poll(() => heldBy(id)).toEqual([state, state, state]);
  }
});

test("a key that is made and waits for the gateway is taken in by no second import", async () => {
  const first = await bring(SHARE);
  await activation.stop();
  await handle(first.id, 1);
  const second = await bring(SHARE);
  await deliver(second.id);
  expect(await readKey(database, second.id)).toMatchObject({
    problem: { code: "KeyImportDuplicate", details: { duplicate: { id: first.id } } },
  });
  await expect.poll(() => heldBy(second.id)).toEqual(["absent", "absent", "absent"]);
  activation = startActivation();
  await expect.poll(async () => (await readKey(database, first.id))?.status).toBe("Active");
});

test("INV-5 a key that is made and waits for the gateway does not fail for a signer that is away since", async () => {
  const { id } = await bring(SHARE);
  await activation.stop();
  expect(await handle(id, 1)).toEqual({ kind: "Done" });
  fake.kill(2);
  await expect.poll(() => signers.live().length).toBe(2);
  expect(await handle(id, 1)).toMatchObject({ kind: "Again" });
  activation = startActivation();
  await expect.poll(async () => (await readKey(database, id))?.status).toBe("Active");
});

test("INV-11 a key that another organisation has is taken in as if nobody had it", async () => {
  await deliver((await bring(SHARE)).id);
  const stranger = freshId(organisationIdSchema, "or");
  await insertOrganisation(database, { id: stranger, name: "Other", dateCreated: date });
  const { id } = await bring(SHARE, stranger);
  await deliver(id);
  expect(await readKey(database, id)).toMatchObject({ status: "Active", orgId: stranger });
});

test("an import is settled once, however often it is delivered", async () => {
  const { id } = await bring(SHARE);
  await deliver(id);
  const sessions = fake.sessions;
  expect(await deliver(id, 2)).toEqual({ kind: "Done" });
  expect(fake.sessions).toBe(sessions);
});

const insertExport = async (keyId: CreatingKey["id"]) => {
  const id = freshId(keyExportIdSchema, "kex");
  const encryptionKey = `0102${"ab".repeat(32)}`;
  const terms = { protocol: "CGGMP24", curve: "secp256k1", encryptionKey, withChainCode: false };
  await insertKeyExport(database, {
    id,
    orgId: organisation,
    keyId,
    requester: { userId: freshId(userIdSchema, "us") },
    authorisation: authorised({ kind: "key-export", requestId: id, keyId, ...terms }),
    dateRequested: date,
  });
  const signal = (subject: string): void => void signalled.push(subject);
  const handle = lookAtKeyExport({
    database: own,
    roster,
    coordinators,
    signal,
    logger,
    world: processWorld,
  });
  return {
    id,
    deliver: () => handle({ id, attempt: 1, isHeld: () => true, lock: async () => true }),
  };
};

test("a key is handed out once: shares for the client, one event of the key and of its wallet, dates on both", async () => {
  const { id, walletId } = await bring(SHARE);
  await deliver(id);
  const asked = await insertExport(id);
  expect(await asked.deliver()).toEqual({ kind: "Done" });
  expect(await asked.deliver()).toEqual({ kind: "Done" });
  const { status, shares } = (await readKeyExport(database, asked.id)) ?? expect.fail("it is on record");
  expect([status, shares?.length]).toEqual(["Done", 3]);
  const isDated = { dateExported: expect.any(String) };
  expect(await readKey(database, id)).toMatchObject(isDated);
  expect(await readWallet(database, walletId)).toMatchObject({ signingKey: isDated });
  const kinds = [...(await listEvents(database, id)), ...(await listEvents(database, walletId))];
  expect(kinds.map(({ kind }) => kind)).toEqual([
    "key.created",
    "key.exported",
    "wallet.created",
    "wallet.exported",
  ]);
  expect(signalled.at(-1)).toContain(asked.id);
});

test("signers that refuse fail the export, and the key did not leave", async () => {
  const { id } = await bring(SHARE);
  await deliver(id);
  for (const { store } of fake.signers) store.keys.delete(id);
  const asked = await insertExport(id);
  await asked.deliver();
  expect(await readKeyExport(database, asked.id)).toMatchObject({ status: "Failed", shares: undefined });
  expect(await readKey(database, id)).toMatchObject({ dateExported: undefined });
});

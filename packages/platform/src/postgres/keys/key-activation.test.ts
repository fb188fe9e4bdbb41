import {
  type ClaimedKey,
  type CreatingKey,
  type CreatingWallet,
  hasAddresses,
  type KeyCreated,
  type KeyId,
  networkSchema,
  organisationIdSchema,
  problem,
} from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { freshId } from "../../fresh-id.ts";
import { freshDatabase } from "../../testing/index.ts";
import { sampleKey, sampleWallet, storeWallet } from "../../testing/sample-wallet.ts";
import { processWorld } from "../../world.ts";
import { type Database, openDatabase } from "../database.ts";
import { listEvents } from "../events.ts";
import { insertOrganisation } from "../people/organisations.ts";
import { insertAttestedKey, readAttestedKeys } from "./attested-keys.ts";
import { attendAttestedKeys, settleAttestedKey } from "./key-activation.ts";
import { insertKeyImport, readKeyImport } from "./key-imports.ts";
import { readKey } from "./keys.ts";
import { insertWallet, readWallet } from "./wallets.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const PUBLIC_KEY = `02${"ab".repeat(32)}`;
const [SIGNED, UNSIGNED] = [[Uint8Array.of(1)], [Uint8Array.of(0)]];

let database: Database;
let wallet: CreatingWallet;
let key: CreatingKey;
let claims: ClaimedKey[];
let settled: [KeyId, KeyCreated["kind"] | undefined][];

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
  [claims, settled] = [[], []];
});

/** Stands for custody's judgement: accepts a key whose first signature begins with 1, unless it is a duplicate. */
const judge = (claimed: ClaimedKey): KeyCreated => {
  claims.push(claimed);
  const { publicKey, attestations, networks, duplicate } = claimed;
  if (attestations[0]?.signature[0] !== 1)
    return { kind: "GenerationFailed", problem: problem("KeyGenerationFailed") };
  if (duplicate !== undefined) return { kind: "GenerationFailed", problem: problem("KeyImportDuplicate") };
  const addresses = new Map(networks.filter(hasAddresses).map((network) => [network, `${network}/02abab`]));
  return { kind: "Activated", publicKey, addresses, date: DATE };
};
const activation = () => ({
  world: processWorld,
  database,
  judge,
  settled: (keyId: KeyId, event: KeyCreated | undefined) => void settled.push([keyId, event?.kind]),
  onFailure: () => undefined,
});
const claim = (signatures: readonly Uint8Array[], keyId: KeyId = key.id) =>
  database.transaction((connection) =>
    insertAttestedKey(connection, {
      keyId,
      publicKey: PUBLIC_KEY,
      attestations: signatures.map((signature) => ({ signature })),
    }),
  );

test("a key that is activated is stored with its wallets, their addresses and events", async () => {
  const pseudo = sampleWallet(key.orgId, { keyId: key.id, network: networkSchema.parse("KeyECDSA") });
  await database.transaction((connection) => insertWallet(connection, pseudo));
  await claim(SIGNED);
  expect(await settleAttestedKey(activation(), key.id)).toBe(true);
  expect(claims).toMatchObject([{ key: { id: key.id }, publicKey: PUBLIC_KEY, duplicate: undefined }]);
  expect(claims[0]?.attestations.map(({ signature }) => [...signature])).toEqual([[1]]);
  expect(await readKey(database, key.id)).toMatchObject({ status: "Active", publicKey: PUBLIC_KEY });
  const address = "EthereumSepolia/02abab";
  expect(await readWallet(database, wallet.id)).toMatchObject({ status: "Active", address });
  const kinds = [...(await listEvents(database, key.id)), ...(await listEvents(database, wallet.id))];
  expect(kinds.map(({ kind }) => kind)).toEqual(["key.created", "wallet.created"]);
  expect([settled, await readAttestedKeys(database, 10)]).toEqual([[[key.id, "Activated"]], []]);
});

test("a key that is not activated fails with its wallets, and without an event", async () => {
  await claim(UNSIGNED);
  await settleAttestedKey(activation(), key.id);
  const failed = { status: "Failed", problem: { code: "KeyGenerationFailed" } };
  expect(await readKey(database, key.id)).toMatchObject(failed);
  expect(await readWallet(database, wallet.id)).toMatchObject(failed);
  expect([await listEvents(database, key.id), settled]).toEqual([[], [[key.id, "GenerationFailed"]]]);
});

test("a claim about a key that is there already, or failed, changes nothing", async () => {
  await claim(SIGNED);
  await settleAttestedKey(activation(), key.id);
  const made = await readKey(database, key.id);
  await claim(UNSIGNED);
  await settleAttestedKey(activation(), key.id);
  expect(await readKey(database, key.id)).toEqual(made);
  expect(await settleAttestedKey(activation(), key.id)).toBe(false);
  expect(await readAttestedKeys(database, 10)).toEqual([]);
});

test("the first claim stands: nobody writes another public key over it", async () => {
  await claim(SIGNED);
  await claim(UNSIGNED);
  await settleAttestedKey(activation(), key.id);
  expect(await readKey(database, key.id)).toMatchObject({ status: "Active" });
});

test("a key that a client imports twice is stored once, and the encrypted shares are deleted each time", async () => {
  const twins = [1, 2].map(() => sampleKey(sampleWallet(key.orgId), { origin: "imported" }));
  for (const twin of twins) {
    await storeWallet(database, sampleWallet(key.orgId, { keyId: twin.id }), twin);
    await database.transaction((connection) => insertKeyImport(connection, twin.id, [new Uint8Array(64)]));
    await claim(SIGNED, twin.id);
  }
  await Promise.all(twins.map(({ id }) => settleAttestedKey(activation(), id)));
  const found = await Promise.all(twins.map(({ id }) => readKey(database, id)));
  expect(found.map((each) => each?.status).sort()).toEqual(["Active", "Failed"]);
  expect(found.find((each) => each?.status === "Failed")).toMatchObject({
    problem: { code: "KeyImportDuplicate" },
  });
  for (const { id } of twins) expect(await readKeyImport(database, id)).toBeUndefined();
});

test("many processes activate at a time: each key is activated once, as soon as it is claimed", async () => {
  const running = [1, 2, 3].map(() => attendAttestedKeys(activation()));
  await claim(SIGNED);
  await expect.poll(() => settled).toEqual([[key.id, "Activated"]]);
  await Promise.all(running.map((each) => each.stop()));
  expect((await listEvents(database, key.id)).map(({ kind }) => kind)).toEqual(["key.created"]);
});

test("a key that cannot be activated now stays as it is, delays no other key, and is tried again", async () => {
  const second = sampleWallet(key.orgId, { network: networkSchema.parse("Polygon") });
  await storeWallet(database, second);
  await claim(SIGNED);
  await claim(SIGNED, second.keyId);
  let fails = true;
  const judgeLater = (claimed: ClaimedKey): KeyCreated => {
    if (fails && claimed.key.id === key.id) throw new Error("not now");
    return judge(claimed);
  };
  const running = attendAttestedKeys({ ...activation(), judge: judgeLater });
  const statusOf = async (id: KeyId) => (await readKey(database, id))?.status;
  await expect.poll(() => statusOf(second.keyId)).toBe("Active");
  expect(await statusOf(key.id)).toBe("Creating");
  fails = false;
  await expect.poll(() => statusOf(key.id), { timeout: 5_000 }).toBe("Active");
  await running.stop();
});

import { type KeyEvent, networkSchema, organisationIdSchema, userIdSchema } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshId } from "../../fresh-id.ts";
import { freshDatabase } from "../../testing/index.ts";
import { sampleKey, sampleWallet, storeWallet } from "../../testing/sample-wallet.ts";
import { type Database, openDatabase } from "../database.ts";
import { listEvents } from "../events.ts";
import { migrate } from "../migrate.ts";
import { insertOrganisation } from "../people/organisations.ts";
import { changeKey } from "./key-change.ts";
import { listKeys, readKey, readNewestKeys } from "./keys.ts";
import {
  insertWallet,
  listWallets,
  listWalletsOfKey,
  readWallet,
  readWalletByExternalId,
} from "./wallets.ts";

const date = "2026-01-02T03:04:05.678Z";
const activation: KeyEvent = {
  kind: "Activated",
  publicKey: "02ab",
  addresses: new Map([[networkSchema.parse("EthereumSepolia"), "0xAb"]]),
  date,
};

let database: Database;
const orgId = freshId(organisationIdSchema, "or");

beforeAll(async () => {
  database = openDatabase({ url: await freshDatabase(), name: "test" });
  await migrate(database);
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: date });
});
afterAll(async () => {
  await database.close();
});

describe("wallets", () => {
  it("come back as they were stored", async () => {
    const wallet = sampleWallet(orgId, { externalId: "w-1" });
    expect(await storeWallet(database, wallet)).toBe(true);
    const [byId, byExternalId] = await Promise.all([
      readWallet(database, wallet.id),
      readWalletByExternalId(database, orgId, "w-1"),
    ]);
    for (const read of [byId, byExternalId, ...(await listWalletsOfKey(database, wallet.keyId))]) {
      expect(read).toEqual(wallet);
    }
  });

  it("are not added twice under one externalId, and neither is the second one's key", async () => {
    await storeWallet(database, sampleWallet(orgId, { externalId: "w-2" }));
    const second = sampleWallet(orgId, { externalId: "w-2" });
    expect(await storeWallet(database, second)).toBe(false);
    expect(await readKey(database, second.keyId)).toBe(undefined);
  });

  it("show in the list once they are active, with what is their key's, and not before", async () => {
    const wallet = sampleWallet(orgId);
    const owner = freshId(userIdSchema, "us");
    await storeWallet(database, wallet, sampleKey(wallet, { delegatedTo: owner }));
    expect((await listWallets(database, orgId, { limit: 10 })).map(({ id }) => id)).not.toContain(wallet.id);
    await database.transaction((connection) => changeKey(connection, wallet.keyId, activation));
    const listed = await listWallets(database, orgId, { limit: 10 }, owner);
    expect(listed).toEqual([
      {
        ...wallet,
        status: "Active",
        address: "0xAb",
        signingKey: {
          scheme: "ECDSA",
          publicKey: "02ab",
          delegatedTo: owner,
          isImported: false,
          dateExported: undefined,
        },
      },
    ]);
    expect((await listEvents(database, wallet.id)).map(({ kind }) => kind)).toEqual(["wallet.created"]);
  });

  it("that failed keep their problem and give up their externalId", async () => {
    const wallet = sampleWallet(orgId, { externalId: "w-3" });
    await storeWallet(database, wallet);
    const problem = {
      code: "SignersUnavailable",
      message: "two are down",
      details: { unavailable: ["signer-2"] },
    } as const;
    await database.transaction((connection) =>
      changeKey(connection, wallet.keyId, { kind: "GenerationFailed", problem }),
    );
    expect(await readWallet(database, wallet.id)).toMatchObject({
      status: "Failed",
      externalId: undefined,
      problem,
    });
    expect(await readKey(database, wallet.keyId)).toMatchObject({ status: "Failed", problem });
    expect(await storeWallet(database, sampleWallet(orgId, { externalId: "w-3" }))).toBe(true);
  });

  it("are one at most on a network for each key", async () => {
    const wallet = sampleWallet(orgId);
    await storeWallet(database, wallet);
    const second = sampleWallet(orgId, { keyId: wallet.keyId });
    await expect(insertWallet(database, second)).rejects.toThrow("wallets_by_key");
    const elsewhere = { ...second, network: networkSchema.parse("KeyECDSA") };
    expect(await insertWallet(database, elsewhere)).toBe(true);
    expect(await listWalletsOfKey(database, wallet.keyId)).toHaveLength(2);
  });
});

describe("keys", () => {
  it("come back as they were stored, through their whole life", async () => {
    const wallet = sampleWallet(orgId);
    const key = sampleKey(wallet, { isDelegable: true, origin: "imported", scheme: "FROST-Taproot" });
    await storeWallet(database, wallet, key);
    expect(await readKey(database, key.id)).toEqual({
      ...key,
      authorisation: { payload: Buffer.of(1, 2), signature: Buffer.alloc(64) },
    });
    const to = freshId(userIdSchema, "us");
    const life: readonly KeyEvent[] = [
      activation,
      { kind: "Renamed", name: undefined },
      { kind: "Delegated", to, date },
      { kind: "Exported", date },
      { kind: "Archived", date },
    ];
    for (const event of life) {
      const decision = await database.transaction((connection) => changeKey(connection, key.id, event));
      if (!decision.ok) throw new Error(decision.problem.message);
      expect(await readKey(database, key.id)).toMatchObject(decision.value.key);
      for (const changed of decision.value.wallets) {
        expect(await readWallet(database, changed.id)).toEqual(changed);
      }
    }
    expect(await readWallet(database, wallet.id)).toMatchObject({
      status: "Archived",
      signingKey: { delegatedTo: to, isImported: true, dateExported: date },
    });
  });

  it("are listed by their owner, and for presignatures only those that can use them", async () => {
    const [owner, other] = [freshId(userIdSchema, "us"), sampleWallet(orgId)];
    const wallets = [sampleWallet(orgId), sampleWallet(orgId)];
    const dateCreated = "2027-01-02T03:04:05.678Z";
    for (const [at, wallet] of wallets.entries()) {
      const scheme = at === 0 ? "ECDSA" : "FROST-Ed25519";
      const network = networkSchema.parse(at === 0 ? "EthereumSepolia" : "KeyEdDSA");
      const key = sampleKey(wallet, { scheme, delegatedTo: owner, dateCreated });
      await storeWallet(database, { ...wallet, network }, key);
      await database.transaction((connection) => changeKey(connection, wallet.keyId, activation));
    }
    await storeWallet(database, other, sampleKey(other, { delegatedTo: owner }));
    const listed = await listKeys(database, orgId, { limit: 10 }, owner);
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(wallets.map(({ keyId }) => keyId)));
    expect(await readNewestKeys(database, 1)).toEqual([wallets[0]?.keyId]);
  });
});

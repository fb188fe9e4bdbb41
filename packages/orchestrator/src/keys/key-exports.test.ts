import {
  type KeyId,
  keyExportIdSchema,
  keyIdSchema,
  organisationIdSchema,
  problem,
  userIdSchema,
} from "@conclave/custody";
import {
  changeKey,
  type Database,
  freshId,
  insertKey,
  insertKeyExport,
  insertOrganisation,
  listEvents,
  makeLogger,
  openDatabase,
  readKeyExport,
  settleKeyExport,
} from "@conclave/platform";
import { freshDatabase, orchestratorLogin } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookAtKeyExport } from "./key-exports.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const AUTHORISATION = { payload: Uint8Array.of(1), signature: new Uint8Array(64) };
const requester = { userId: freshId(userIdSchema, "us") };
const orgId = freshId(organisationIdSchema, "or");

let database: Database;
let own: Database;
beforeAll(async () => {
  const url = await freshDatabase();
  database = openDatabase({ url, name: "exports" });
  own = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: DATE });
});
afterAll(() => Promise.all([database.close(), own.close()]));

/** An active key, and a pending export of it. */
const waiting = async () => {
  const keyId = freshId(keyIdSchema, "key");
  const id = freshId(keyExportIdSchema, "kex");
  await database.transaction(async (connection) => {
    await insertKey(connection, {
      id: keyId,
      orgId,
      name: undefined,
      scheme: "ECDSA",
      origin: "generated",
      requester,
      authorisation: AUTHORISATION,
      isDelegable: false,
      delegatedTo: undefined,
      dateCreated: DATE,
      status: "Creating",
    });
    const publicKey = `02${"ab".repeat(32)}`;
    await changeKey(connection, keyId, { kind: "Activated", publicKey, addresses: new Map(), date: DATE });
    const asked = { id, orgId, keyId, requester, authorisation: AUTHORISATION, dateRequested: DATE };
    await insertKeyExport(connection, asked);
  });
  return { id, keyId };
};

/** A handler whose signers seal nothing; `meanwhile` runs before they answer. */
const handle = (meanwhile: () => Promise<unknown> = async () => undefined) =>
  lookAtKeyExport({
    database: own,
    roster: { signers: [] },
    coordinators: {
      holdersOf: async () => ({ threshold: 2, parties: [] }),
      exportKey: ({ keyId }) => ({
        outcome: meanwhile().then(() => ({
          kind: "done",
          value: { keyId, publicKey: new Uint8Array(33), envelopes: new Map() },
        })),
        closed: Promise.resolve(),
        stop: () => undefined,
      }),
    },
    signal: () => undefined,
    logger: makeLogger({ name: "exports", level: "silent" }),
    world: processWorld,
  });
/** A handler for which too few signers answer. */
const failing = () =>
  lookAtKeyExport({
    database: own,
    roster: { signers: [] },
    coordinators: {
      holdersOf: async () => ({ threshold: 2, parties: [] }),
      exportKey: () => ({
        outcome: Promise.resolve({ kind: "failed", problem: problem("SignersUnavailable") }),
        closed: Promise.resolve(),
        stop: () => undefined,
      }),
    },
    signal: () => undefined,
    logger: makeLogger({ name: "exports", level: "silent" }),
    world: processWorld,
  });
const dueOf = (id: string) => ({ id, attempt: 1, isHeld: () => true, lock: async () => true });
const exportedEvents = async (keyId: KeyId) =>
  (await listEvents(database, keyId)).filter(({ kind }) => kind === "key.exported").length;

describe("INV-6 the event of an export", () => {
  it("comes once when two processes look at it side by side", async () => {
    const { id, keyId } = await waiting();
    let answer = (): void => undefined;
    const both = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const first = handle(() => both)(dueOf(id));
    const second = handle(async () => answer())(dueOf(id));
    await Promise.all([first, second]);
    expect([(await readKeyExport(database, id))?.status, await exportedEvents(keyId)]).toEqual(["Done", 1]);
  });

  it("comes although the gateway gave up: what the signers handed out is out", async () => {
    const { id, keyId } = await waiting();
    const late = { code: "KeyExportFailed", message: "too late", details: {} } as const;
    await handle(() => settleKeyExport(database, id, { kind: "Failed", problem: late }))(dueOf(id));
    expect([(await readKeyExport(database, id))?.status, await exportedEvents(keyId)]).toEqual(["Failed", 1]);
  });
});

describe("INV-5 an export that another process took over", () => {
  it("is not said to have failed by the one that lost it", async () => {
    const { id } = await waiting();
    expect(await failing()({ ...dueOf(id), isHeld: () => false })).toMatchObject({ kind: "Again" });
    // taken over while it was paused between the look at its own clock and the write
    expect(await failing()({ ...dueOf(id), lock: async () => false })).toMatchObject({ kind: "Again" });
    expect((await readKeyExport(database, id))?.status).toBe("Pending");
    expect(await failing()(dueOf(id))).toEqual({ kind: "Done" });
    expect((await readKeyExport(database, id))?.status).toBe("Failed");
  });
});

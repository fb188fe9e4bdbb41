import { organisationIdSchema } from "@conclave/custody";
import {
  type Database,
  freshId,
  insertChainRequest,
  insertOrganisation,
  migrate,
  noteUnsure,
  openDatabase,
} from "@conclave/platform";
import {
  type PostgresServer,
  sampleTransfer,
  sampleWallet,
  startPostgresServer,
  storeWallet,
} from "@conclave/platform/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { reconcile, ruleOutSent } from "./reconcile.ts";

let server: PostgresServer;
let database: Database;
let url: string;
let said: string;
beforeEach(async () => {
  server = await startPostgresServer();
  url = (await server.createDatabase()).url;
  database = openDatabase({ url, name: "test" });
  await migrate(database);
  said = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.close();
  await server.stop();
});

const place = () => ({ state: "/nowhere", databaseUrl: url });
const saidOf = async (work: () => Promise<void>): Promise<string> => {
  said = "";
  await work();
  return said;
};

it("lists requests that may have been carried out with both sides, and rules out that one was", async () => {
  expect(await saidOf(() => reconcile(place(), false))).toBe(
    "no request waits for its chain to tell whether it was carried out\n",
  );
  const orgId = freshId(organisationIdSchema, "or");
  await insertOrganisation(database, { id: orgId, name: "Example", dateCreated: new Date().toISOString() });
  const wallet = sampleWallet(orgId);
  await storeWallet(database, wallet);
  const transfer = sampleTransfer(wallet);
  await insertChainRequest(database, transfer);
  await noteUnsure(database, transfer.id, "it \u001b[31mhas forgotten blocks");
  const listed = await saidOf(() => reconcile(place(), false));
  expect(listed).toMatch(
    new RegExp(`^${transfer.id} of ${wallet.id} on ${wallet.network}, since 20.*Z$`, "m"),
  );
  expect(listed).toMatch(/^ {2}authorised: .*"amount"/m);
  expect(listed).toMatch(/^ {2}the chain: {2}it .*has forgotten blocks$/m);
  // what is on record may come from anybody
  expect(listed).not.toContain("\u001b");
  expect(JSON.parse(await saidOf(() => reconcile(place(), true)))).toMatchObject([
    { id: transfer.id, walletId: wallet.id, requestBody: transfer.requestBody },
  ]);
  await expect(ruleOutSent(place(), ["xfr-2"])).rejects.toThrow("xfr-2: nothing waits for that");
  expect(await saidOf(() => ruleOutSent(place(), [transfer.id]))).toBe(
    `${transfer.id}: it is built and paid\n`,
  );
  expect(await saidOf(() => reconcile(place(), false))).toMatch(/^no request waits/);
});

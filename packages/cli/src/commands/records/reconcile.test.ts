import { organisationIdSchema } from "@conclave/custody";
import {
  type Database,
  freshId,
  insertChainRequest,
  insertOrganisation,
  noteUnsure,
} from "@conclave/platform";
import { sampleTransfer, sampleWallet, storeWallet } from "@conclave/platform/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { saidBy, saidTo } from "../../testing/said.ts";
import { startTestRecords, type TestRecords } from "../../testing/test-records.ts";
import { reconcile, ruleOutSent } from "./reconcile.ts";

let records: TestRecords;
let database: Database;
let place: TestRecords["place"];
const said = saidTo("stdout");
const saidOf = (command: () => Promise<void>) => saidBy(said, command);
beforeEach(async () => {
  records = await startTestRecords();
  ({ database, place } = records);
});
afterEach(() => records.stop());

it("lists requests that may have been carried out with both sides, and rules out that one was", async () => {
  expect(await saidOf(() => reconcile(place, false))).toBe(
    "no request waits for its chain to tell whether it was carried out\n",
  );
  const orgId = freshId(organisationIdSchema, "or");
  await insertOrganisation(database, { id: orgId, name: "Example", dateCreated: new Date().toISOString() });
  const wallet = sampleWallet(orgId);
  await storeWallet(database, wallet);
  const transfer = sampleTransfer(wallet);
  await insertChainRequest(database, transfer);
  await noteUnsure(database, transfer.id, "it \u001b[31mhas forgotten blocks");
  const listed = await saidOf(() => reconcile(place, false));
  expect(listed).toMatch(
    new RegExp(`^${transfer.id} of ${wallet.id} on ${wallet.network}, since 20.*Z$`, "m"),
  );
  expect(listed).toMatch(/^ {2}authorised: .*"amount"/m);
  expect(listed).toMatch(/^ {2}the chain: {2}it .*has forgotten blocks$/m);
  // a text on record is untrusted
  expect(listed).not.toContain("\u001b");
  expect(JSON.parse(await saidOf(() => reconcile(place, true)))).toMatchObject([
    { id: transfer.id, walletId: wallet.id, requestBody: transfer.requestBody },
  ]);
  await expect(ruleOutSent(place, ["xfr-2"])).rejects.toThrow("xfr-2: nothing waits for that");
  expect(await saidOf(() => ruleOutSent(place, [transfer.id]))).toBe(
    `${transfer.id}: it is built and paid\n`,
  );
  expect(await saidOf(() => reconcile(place, false))).toMatch(/^no request waits/);
});

import { organisationIdSchema } from "@conclave/custody";
import { claimDue, type Database, enqueue, freshId, parkClaim } from "@conclave/platform";
import { afterEach, beforeEach, expect, it } from "vitest";
import { saidBy, saidTo } from "../../testing/said.ts";
import { startTestRecords, type TestRecords } from "../../testing/test-records.ts";
import { parked, takeUp } from "./parked.ts";

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

it("lists requests that are parked with their reason, and has them looked at again", async () => {
  expect(await saidOf(() => parked(place, false))).toBe("no request is parked\n");
  const orgId = freshId(organisationIdSchema, "or");
  await enqueue(database, { id: "xfr-1", kind: "transfer", orgId, lane: "Polygon", line: undefined });
  const [claim] = await claimDue(database, new Map([["Polygon", 1]]), crypto.randomUUID(), 10_000);
  if (claim === undefined) throw new Error("nothing is due");
  await parkClaim(database, claim, "it \u001b[31mthrows", true);
  const listed = await saidOf(() => parked(place, false));
  expect(listed).toMatch(/xfr-1 +transfer +Polygon +20.*Z +1 +it .*throws/);
  // a text on record is untrusted
  expect(listed).not.toContain("\u001b");
  expect(JSON.parse(await saidOf(() => parked(place, true)))).toMatchObject([
    { id: "xfr-1", kind: "transfer", failures: 1 },
  ]);
  await expect(takeUp(place, ["xfr-2"])).rejects.toThrow("1 of the 1 requests are not parked");
  expect(await saidOf(() => takeUp(place, []))).toBe("done: 1 request is due again\n");
  expect(await claimDue(database, new Map([["Polygon", 1]]), crypto.randomUUID(), 10_000)).toHaveLength(1);
});

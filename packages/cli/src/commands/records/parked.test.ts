import { organisationIdSchema } from "@conclave/custody";
import {
  claimDue,
  type Database,
  enqueue,
  freshId,
  migrate,
  openDatabase,
  parkClaim,
} from "@conclave/platform";
import { type PostgresServer, startPostgresServer } from "@conclave/platform/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { parked, takeUp } from "./parked.ts";

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

it("lists requests that are parked with their reason, and has them looked at again", async () => {
  await parked(place(), false);
  expect(said).toBe("no request is parked\n");
  const orgId = freshId(organisationIdSchema, "or");
  await enqueue(database, { id: "xfr-1", kind: "transfer", orgId, lane: "Polygon", line: undefined });
  const [claim] = await claimDue(database, new Map([["Polygon", 1]]), crypto.randomUUID(), 10_000);
  if (claim === undefined) throw new Error("nothing is due");
  await parkClaim(database, claim, "it \u001b[31mthrows", true);
  said = "";
  await parked(place(), false);
  expect(said).toMatch(/xfr-1 +transfer +Polygon +20.*Z +1 +it .*throws/);
  // what is on record may come from anybody
  expect(said).not.toContain("\u001b");
  said = "";
  await parked(place(), true);
  expect(JSON.parse(said)).toMatchObject([{ id: "xfr-1", kind: "transfer", failures: 1 }]);
  await expect(takeUp(place(), ["xfr-2"])).rejects.toThrow("1 of the 1 requests are not parked");
  said = "";
  await takeUp(place(), []);
  expect(said).toBe("done: 1 request is due again\n");
  expect(await claimDue(database, new Map([["Polygon", 1]]), crypto.randomUUID(), 10_000)).toHaveLength(1);
});

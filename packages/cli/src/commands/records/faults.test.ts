import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Database, insertFault, listFaults, migrate, openDatabase } from "@conclave/platform";
import { orchestratorLogin, type PostgresServer, startPostgresServer } from "@conclave/platform/testing";
import { stateLayout } from "@conclave/testbed/launch";
import { encode, evidenceCodec } from "@conclave/threshold";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RecordsPlace } from "../../operator/fault-records.ts";
import { equivocation, SIGNED_TWICE, testRoster } from "../../testing/equivocation.ts";
import { exportEvidence } from "./faults.ts";

const DATE = "2026-01-02T03:04:05.678Z";

let folder: string;
let server: PostgresServer;
let database: Database;
let place: RecordsPlace;
let proven: number;
let older: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "conclave-faults-"));
  const { roster } = stateLayout(folder);
  mkdirSync(dirname(roster), { recursive: true });
  writeFileSync(roster, JSON.stringify(testRoster));
  server = await startPostgresServer();
  const { url } = await server.createDatabase();
  place = { state: folder, databaseUrl: url };
  database = openDatabase({ url, name: "test" });
  await migrate(database, { orchestrator: new URL(await orchestratorLogin(url)).username });
  const { attempt, accused } = equivocation();
  await database.execute(
    `insert into faults (culprit, reporter, session_id, check_name, evidence, date)
     values (3, 1, $1, 'of an older version', $2, $3)`,
    [new Uint8Array(32), "[]", DATE],
  );
  await insertFault(database, {
    culprit: accused,
    reporter: 1,
    sessionId: attempt.given,
    checkName: SIGNED_TWICE,
    protocol: attempt.protocol,
    keyId: attempt.keyId,
    proof: encode(evidenceCodec, equivocation()),
    date: DATE,
  });
  const stored = await listFaults(database, (fault) => fault);
  const idOf = (isProven: boolean): number =>
    stored.find((fault) => (fault.proven !== undefined) === isProven)?.id ?? expect.fail("both are stored");
  [proven, older] = [idOf(true), idOf(false)];
});
afterAll(async () => {
  await database?.close();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

/** The path of a file that does not exist. */
const fresh = (name: string): string => join(folder, name);

describe("conclave faults export", () => {
  test("writes the evidence of a fault, and never over a file that is there", async () => {
    const path = fresh("evidence.json");
    await exportEvidence(place, String(proven), path);
    const written = readFileSync(path, "utf8");
    expect(JSON.parse(written)).toMatchObject({ kind: "conclave-evidence", clusterId: testRoster.clusterId });
    await expect(exportEvidence(place, String(proven), path)).rejects.toMatchObject({
      message: `${path} cannot be written (EEXIST)`,
      remedy: expect.stringContaining("does not exist"),
    });
    expect(readFileSync(path, "utf8")).toBe(written);
  });

  test.each(["4000000", "999999999999999"])(
    "says that there is no fault %s on record, and writes nothing",
    async (id) => {
      const path = fresh("unknown.json");
      await expect(exportEvidence(place, id, path)).rejects.toMatchObject({
        message: `there is no fault ${id} on record`,
        remedy: expect.stringContaining("conclave faults"),
      });
      expect(existsSync(path)).toBe(false);
    },
  );

  test.each(["", "-1", "1.5", "one", "1; drop table faults", "9999999999999999"])(
    "says that %j is no fault's id, and writes nothing",
    async (id) => {
      const path = fresh("no-id.json");
      await expect(exportEvidence(place, id, path)).rejects.toThrow(`"${id}" is no fault's id`);
      expect(existsSync(path)).toBe(false);
    },
  );

  test("says of a record of an older version that nobody else can check it, and writes nothing", async () => {
    const path = fresh("older.json");
    await expect(exportEvidence(place, String(older), path)).rejects.toThrow(
      new RegExp(`fault ${older} has evidence of an older version`),
    );
    expect(existsSync(path)).toBe(false);
  });

  test("names the folder that is not there", async () => {
    const path = join(folder, "missing", "evidence.json");
    await expect(exportEvidence(place, String(proven), path)).rejects.toThrow(/cannot be written \(ENOENT\)/);
  });
});

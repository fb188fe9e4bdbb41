import { listFaults, migrate, openDatabase } from "@conclave/platform";
import { orchestratorLogin, type PostgresServer, startPostgresServer } from "@conclave/platform/testing";
import { verifyFault } from "@conclave/threshold";
import { insecurePeerKeys, testParties, testParty } from "@conclave/threshold/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { equivocation, SIGNED_TWICE } from "../testing/equivocation.ts";
import { type RecordsPlace, recordFaults } from "./fault-records.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgresServer();
});
afterAll(() => server?.stop());

const blamed = () => {
  const evidence = equivocation();
  const roster = new Map(testParties(3).map((party) => [party, insecurePeerKeys(party)]));
  const verdict = verifyFault(evidence, roster);
  if (verdict.kind !== "proven") expect.fail(verdict.why);
  const session = Buffer.from(evidence.attempt.given).toString("hex");
  return { reporter: testParty(1), session, evidence, verdict };
};

/** Records that a signer sent its peers two different messages. @returns the lines that the command prints */
const recorded = async (place: RecordsPlace): Promise<readonly string[]> => {
  const said: string[] = [];
  await recordFaults(place, [blamed()], (line) => said.push(line));
  return said;
};

it("INV-7 whom an operator's command proves to deviate is on record, with evidence for anybody", async () => {
  const { url } = await server.createDatabase();
  const database = openDatabase({ url, name: "test" });
  try {
    await migrate(database, { orchestrator: new URL(await orchestratorLogin(url)).username });
    const said = await recorded({ state: "/nowhere", databaseUrl: url });
    expect(said).toEqual([expect.stringContaining("is on record")]);
    const [fault, ...others] = await listFaults(database, (fault) => fault);
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ culprit: 3, reporter: 1, checkName: SIGNED_TWICE });
    expect(fault?.proven?.proof.length).toBeGreaterThan(0);
  } finally {
    await database.close();
  }
});

it("where the database is not known the command goes on, and says that nothing is on record", async () => {
  const said = await recorded({ state: "/nowhere", databaseUrl: undefined });
  expect(said).toEqual([
    expect.stringContaining("not on record: it is not known where the cluster's database is"),
  ]);
});

it("nothing is said where nobody deviated", async () => {
  const said: string[] = [];
  await recordFaults({ state: "/nowhere", databaseUrl: undefined }, [], (line) => said.push(line));
  expect(said).toEqual([]);
});

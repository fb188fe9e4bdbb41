import { EVIDENCE_BYTES_MAX, encode, evidenceCodec, PARTIES_MAX } from "@conclave/threshold";
import { insecureLargeEvidence } from "@conclave/threshold/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshDatabase, orchestratorLogin } from "../testing/index.ts";
import { type Database, openDatabase } from "./database.ts";
import { FAULTS_PER_SIGNER_MAX, type FaultRecord, insertFault, listFaults, readFault } from "./faults.ts";
import { migrate } from "./migrate.ts";

const date = "2026-01-02T03:04:05.678Z";

const sample = (change: Partial<FaultRecord> = {}): FaultRecord => ({
  culprit: 3,
  reporter: 1,
  sessionId: new Uint8Array(32).fill(7),
  checkName: "sign/1 partial signature",
  protocol: "signing",
  keyId: "key-1",
  proof: Uint8Array.of(2, 1, 2, 3),
  date,
  ...change,
});

/** The n-th of many sessions. */
const session = (number: number): Uint8Array => {
  const id = new Uint8Array(32);
  new DataView(id.buffer).setUint32(0, number);
  return id;
};

let database: Database;
let orchestrator: Database;
beforeAll(async () => {
  const url = await freshDatabase("empty");
  database = openDatabase({ url, name: "test" });
  const orchestratorUrl = await orchestratorLogin(url);
  await migrate(database, { orchestrator: new URL(orchestratorUrl).username });
  orchestrator = openDatabase({ url: orchestratorUrl, name: "orchestrator" });
});
afterAll(async () => {
  await orchestrator.close();
  await database.close();
});
afterEach(async () => {
  await database.execute("delete from faults");
});

describe("faults on record", () => {
  it("INV-7 hold the whole evidence, and are read by their number", async () => {
    expect(await insertFault(orchestrator, sample())).toBe(true);
    const [stored] = await listFaults(database, (fault) => fault);
    expect(stored).toMatchObject({
      culprit: 3,
      reporter: 1,
      sessionId: Buffer.alloc(32, 7),
      checkName: "sign/1 partial signature",
      proven: { protocol: "signing", keyId: "key-1", proof: Buffer.of(2, 1, 2, 3) },
      date,
    });
    expect(await readFault(database, stored?.id ?? 0)).toEqual(stored);
    expect(await readFault(database, 4_000_000)).toBeUndefined();
  });

  it("INV-7 hold the evidence of a cluster of 7 signers, of 64, and the longest that there may be", async () => {
    const proofs = [7, PARTIES_MAX].map((total) =>
      encode(evidenceCodec, insecureLargeEvidence(total, "aux/3 Πmod").evidence),
    );
    for (const [at, proof] of [...proofs, new Uint8Array(EVIDENCE_BYTES_MAX)].entries()) {
      expect(await insertFault(orchestrator, sample({ sessionId: session(at), proof }))).toBe(true);
    }
    const lengths = await listFaults(database, ({ proven }) => proven?.proof.length);
    expect(lengths).toEqual([EVIDENCE_BYTES_MAX, ...proofs.map(({ length }) => length).reverse()]);
  });

  it("are kept once for each session, accused and check, whichever signer reports them", async () => {
    expect(await insertFault(orchestrator, sample())).toBe(true);
    expect(await insertFault(orchestrator, sample({ reporter: 2, proof: Uint8Array.of(2, 9) }))).toBe(false);
    expect(await insertFault(orchestrator, sample({ culprit: 4 }))).toBe(true);
    expect(await insertFault(orchestrator, sample({ checkName: "another" }))).toBe(true);
    expect(await insertFault(orchestrator, sample({ sessionId: session(1), keyId: undefined }))).toBe(true);
    expect(await listFaults(database, (fault) => fault)).toHaveLength(4);
  });

  it("push out the oldest of the same signer, and none of another", async () => {
    await insertFault(orchestrator, sample({ culprit: 4, sessionId: session(0) }));
    for (let at = 1; at <= FAULTS_PER_SIGNER_MAX + 2; at++) {
      await insertFault(orchestrator, sample({ sessionId: session(at) }));
    }
    const kept = await listFaults(database, (fault) => fault);
    const ofLiar = kept.filter(({ culprit }) => culprit === 3);
    expect(ofLiar).toHaveLength(FAULTS_PER_SIGNER_MAX);
    expect(ofLiar.at(-1)?.sessionId).toEqual(Buffer.from(session(3)));
    expect(kept.filter(({ culprit }) => culprit === 4)).toHaveLength(1);
  });

  it("are neither changed nor deleted by an orchestrator's login", async () => {
    await insertFault(orchestrator, sample());
    await expect(orchestrator.execute("delete from faults")).rejects.toThrow(/permission denied/);
    await expect(orchestrator.execute("update faults set culprit = 1")).rejects.toThrow(/permission denied/);
    await expect(orchestrator.execute("alter table faults disable trigger keep_newest")).rejects.toThrow(
      /owner/,
    );
  });

  it("of the version before stay readable, without a proof", async () => {
    await database.execute(
      `insert into faults (culprit, reporter, session_id, check_name, evidence, date)
       values (2, 1, '\\x0707', 'presign/2', '["00ff"]', $1)`,
      [date],
    );
    const [old] = await listFaults(database, (fault) => fault);
    expect(old).toMatchObject({ culprit: 2, checkName: "presign/2", proven: undefined, date });
  });

  it.each([
    ["of another size than any evidence", "proof = decode(repeat('00', 20971521), 'hex')"],
    ["empty", "proof = ''"],
    ["of no protocol", "protocol = null"],
    ["beside evidence of the version before", "evidence = '[]'"],
  ])("are refused when their evidence is %s", async (_, change) => {
    await insertFault(database, sample());
    await expect(database.execute(`update faults set ${change}`)).rejects.toThrow(/check constraint/);
    const counted = await database.rows(z.object({ count: z.string() }), "select count(*) from faults");
    expect(counted).toEqual([{ count: "1" }]);
  });
});

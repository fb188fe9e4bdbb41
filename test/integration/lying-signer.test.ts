import { join } from "node:path";
import { ToyChain } from "@conclave/chains/testing";
import { keyIdSchema } from "@conclave/custody";
import { listFaults, type StoredFault } from "@conclave/platform";
import { type LyingWorker, lyingWorker, sourceWorker } from "@conclave/platform/testing";
import { waitUntil } from "@conclave/testbed";
import { decode, ENVELOPE_KIND, evidenceCodec, SIGNING_ROUND } from "@conclave/threshold";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { makePremises, type Premises, type RunningCluster, startCluster } from "./further-family/cluster.ts";
import { copyEvidence, evidenceIn, withOtherByte } from "./liars/evidence-copies.ts";
import { conclave } from "./liars/operators-command.ts";

const LIAR = 3;
const HOUR_MS = 3_600_000;
const HASH = `0x${"5a".repeat(32)}`;
/** A signer that answered late once is avoided for a minute; on a busy machine this may happen to the liar. */
const CAUGHT_MS = 180_000;

const keySchema = z.object({ id: keyIdSchema, status: z.literal("Active") });

let premises: Premises;
let liar: LyingWorker;
let cluster: RunningCluster;
let key: z.infer<typeof keySchema>;

beforeAll(async () => {
  premises = await makePremises();
  liar = lyingWorker();
});
/** Orchestrators avoid a caught signer for a while, so each test starts new processes, which know nothing of it. */
beforeEach(async () => {
  liar.beHonest();
  cluster = await startCluster(premises, new ToyChain(Date.now() - HOUR_MS), 0, {
    workerOf: (index) => (index === LIAR ? liar.entry : sourceWorker()),
  });
  const made = await cluster.api.sendUntilServed("POST", "/keys", { scheme: "ECDSA", curve: "secp256k1" });
  key = keySchema.parse(made.body);
});
afterEach(() => cluster?.stop());
afterAll(async () => {
  liar?.beHonest();
  await premises?.leave();
});

const inState = (): readonly string[] => ["--state", premises.layout.root];

/** Requests signatures until a fault is on record. Every request must be answered with a signature. */
const signUntilCaught = (known: readonly number[]): Promise<StoredFault> =>
  waitUntil(
    async () => {
      const asked = await cluster.api.send("POST", `/keys/${key.id}/signatures`, {
        kind: "Hash",
        hash: HASH,
      });
      expect(asked.body).toMatchObject({ status: "Signed" });
      return (await listFaults(cluster.database, (fault) => fault)).find(({ id }) => !known.includes(id));
    },
    { what: "the liar to be caught", deadlineMs: CAUGHT_MS },
  );

const LIES = [
  ["what it received", { round: 1, kind: ENVELOPE_KIND.echo }],
  ["its partial signature", { round: SIGNING_ROUND, kind: ENVELOPE_KIND.broadcast }],
] as const;

describe("INV-7 a signer process that lies about", () => {
  it.each(LIES)(
    "%s is on record; its exported evidence proves it to anybody, and with a changed byte it does not",
    async (_, lie) => {
      const known = (await listFaults(cluster.database, (fault) => fault)).map(({ id }) => id);
      liar.lie(lie);
      const fault = await signUntilCaught(known);
      expect(fault).toMatchObject({ culprit: LIAR, proven: { keyId: key.id } });

      const listed = await conclave(premises, "faults", ...inState());
      expect(listed.out).toMatch(new RegExp(`${fault.id} .*signer-3.*${key.id}.*proven`));

      const file = join(premises.layout.root, `evidence-${fault.id}.json`);
      expect((await conclave(premises, "faults", "export", String(fault.id), file, ...inState())).code).toBe(
        0,
      );
      const roster = ["--roster", premises.layout.roster];
      const verified = await conclave(premises, "verify-evidence", file, ...roster);
      expect(verified).toMatchObject({ code: 0, out: expect.stringContaining("proven: signer-3 deviated") });

      const { evidence } = evidenceIn(file);
      expect(decode(evidenceCodec, evidence).ok).toBe(true);
      const other = join(premises.layout.root, `changed-${fault.id}.json`);
      copyEvidence(file, other, { evidence: withOtherByte(evidence) });
      const said = await conclave(premises, "verify-evidence", other, ...roster);
      expect([1, 2]).toContain(said.code);
      expect(said.out).not.toMatch(/^proven/);
    },
  );
});

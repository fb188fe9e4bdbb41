// A wrong δ with production parameters: the others open what they sent, and so name the liar before any deadline. The test
// prints how long that takes; packages/cluster/src/cluster-signing.test.ts tests the time in rounds, in virtual time.
import { type Cluster, waitUntil } from "@conclave/testbed";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { startCluster } from "../../integration/throw-away-cluster.ts";
import { FaultyProcess } from "./faulty-process.ts";

/** Each signer generates moduli from safe primes: a minute on two idle cores, much longer on busy ones. */
const START_MS = 900_000;
const CAUGHT_MS = 120_000;
const HASH = `0x${"5a".repeat(32)}`;
/** The three others are a quorum without it, so not every request involves it. */
const LIAR = 1;
const REQUESTS_MAX = 40;

const keySchema = z.looseObject({ id: z.string() });
const lineSchema = z.looseObject({ event: z.string(), time: z.iso.datetime(), requestId: z.string() });
const deviationSchema = z.looseObject({
  culprit: z.number(),
  check: z.string(),
  attempt: z.number(),
  session: z.string(),
});
const madeSchema = z.looseObject({ quorum: z.array(z.number()), attempts: z.number() });
type Line = z.output<typeof lineSchema>;

let cluster: Cluster;
let liar: FaultyProcess;
let orchestrator: FaultyProcess;
beforeAll(async () => {
  cluster = await startCluster({ parameters: "CGGMP24-128", signers: 4, threshold: 3, faults: true });
  liar = new FaultyProcess(cluster, `signer-${LIAR}`);
  orchestrator = new FaultyProcess(cluster, "orchestrator");
}, START_MS);
afterAll(() => cluster?.stop());

/** Lines about requests in the orchestrator's log. */
const linesOf = (event: string): readonly Line[] =>
  orchestrator.log.split("\n").flatMap((text) => {
    if (!text.startsWith("{") || !text.endsWith("}")) return [];
    const { success, data } = lineSchema.safeParse(JSON.parse(text));
    return success && data.event === event ? [data] : [];
  });
/** All log lines of the orchestrator about a request, shown when the test fails. */
const saidOf = (id: string): string =>
  orchestrator.log
    .split("\n")
    .filter((line) => line.includes(id))
    .join("\n");
const lineOf = (event: string, id: string): Line | undefined =>
  linesOf(event).find(({ requestId }) => requestId === id);

const sign = async (keyId: string): Promise<void> => {
  const answer = await cluster.api.send("POST", `/keys/${keyId}/signatures`, { kind: "Hash", hash: HASH });
  expect(answer.body).toMatchObject({ status: "Signed" });
};

it("INV-5 INV-7 a signer that bends its δ with 3072-bit moduli is named in the first attempt, and the others sign", async () => {
  const made = await cluster.api.sendUntilServed("POST", "/keys", { scheme: "ECDSA", curve: "secp256k1" });
  const { id: keyId } = keySchema.parse(made.body);
  await sign(keyId);
  liar.order({ lies: ["presign/3.delta"] });
  for (let asked = 0; asked < REQUESTS_MAX && linesOf("signer-deviated").length === 0; asked += 1)
    await sign(keyId);
  const [named = expect.fail("the liar was never asked")] = linesOf("signer-deviated");
  expect(deviationSchema.parse(named)).toMatchObject({ culprit: LIAR, check: "presign/4 δ", attempt: 1 });

  const signed = await waitUntil(() => lineOf("signature-made", named.requestId), {
    what: "the signature of the others",
    deadlineMs: CAUGHT_MS,
  });
  // on a busy machine the orchestrator may begin the request a second time, with a new count; it avoids the known liar then
  const { quorum, attempts } = madeSchema.parse(signed);
  expect(quorum, saidOf(named.requestId)).not.toContain(LIAR);
  expect(attempts, saidOf(named.requestId)).toBeLessThanOrEqual(2);
  const caught = linesOf("signer-deviated").map((line) => deviationSchema.parse(line));
  expect(new Set(caught.map(({ culprit }) => culprit))).toEqual(new Set([LIAR]));
  expect(new Set(caught.map(({ session }) => session)).size).toBe(1);

  const begun = lineOf("signature-begun", named.requestId) ?? expect.fail("it was begun");
  const sinceMs = ({ time }: Line): number => Date.parse(time) - Date.parse(begun.time);
  process.stdout.write(
    `named after ${sinceMs(named)} ms, signed by the others after ${sinceMs(signed)} ms\n`,
  );
});

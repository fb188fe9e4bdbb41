// The compute worker of a signer that lies. While a file says so, it signs wrong payloads in messages of one round and
// kind, and does not report the results of its sessions. Its signatures are valid, its content is not. Or it accuses
// peers, as soon as they send anything, with messages that they signed in earlier sessions.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { forClone, fromClone } from "@conclave/cluster/compute";
import { ENVELOPE_KIND, NO_MATERIAL } from "@conclave/threshold";
import { signEnvelope } from "@conclave/threshold/testing";

const orders = join(tmpdir(), `conclave-lies-${process.pid}`);
/** @returns {{ round: number, kind: number } | { accuse: readonly number[] } | undefined} */
const ordered = () => (existsSync(orders) ? JSON.parse(readFileSync(orders, "utf8")) : undefined);

const { self, secrets: secret } = fromClone(workerData).host;
const secrets = secret.reveal();
const hasLied = new Set();

/** Each peer's broadcasts in the first round of its sessions, the newest last. */
const heard = new Map();
const parties = new Map();

const note = (work) => {
  if (work.kind !== "task") return;
  const { task } = work;
  if (task.kind !== "deliver") return;
  const { envelope } = task;
  if (envelope.round !== 1 || envelope.kind !== ENVELOPE_KIND.broadcast) return;
  const before = heard.get(envelope.from) ?? [];
  heard.set(envelope.from, [...before, { run: work.session, envelope }].slice(-8));
  parties.set(work.session, [...(parties.get(work.session) ?? []), envelope.from]);
};

/** Made-up evidence: two messages of one peer for the first round, from two earlier sessions. */
const madeUp = (session, accuse) => {
  for (const culprit of parties.get(session) ?? []) {
    const earlier = (heard.get(culprit) ?? []).filter(({ run }) => run !== session).slice(0, 2);
    if (!accuse.includes(culprit) || earlier.length < 2) continue;
    appendFileSync(`${orders}-told`, `${JSON.stringify({ reporter: self, accused: culprit })}\n`);
    const messages = earlier.map(({ envelope }) => envelope);
    const check = "round 1: two different messages for one place";
    const fault = { culprit, check, messages, material: NO_MATERIAL };
    return { kind: "fault", fault, send: [] };
  }
  return undefined;
};

const lied = (envelope, lie) => {
  const { session, round, kind, from, to, payload } = envelope;
  if (lie?.round === undefined || round !== lie.round || kind !== lie.kind) return envelope;
  const changed = payload.with(payload.length - 1, payload.at(-1) ^ 1);
  return signEnvelope({ session, round, kind, from, to }, changed, secrets.identity);
};

const postClone = parentPort.postMessage.bind(parentPort);
const post = (answer) => postClone(forClone(answer));
parentPort.postMessage = (clone) => {
  const answer = fromClone(clone);
  if (answer.kind !== "result") return post(answer);
  const { result } = answer;
  const { send = [] } = result;
  const lie = ordered();
  const accusation = lie?.accuse === undefined ? undefined : madeUp(answer.session, lie.accuse);
  if (accusation !== undefined) return post({ ...answer, result: accusation, jobs: [] });
  const said = send.map((envelope) => lied(envelope, lie));
  const isLie = said.some((envelope, at) => envelope !== send[at]);
  if (isLie) hasLied.add(answer.session);
  else if (hasLied.has(answer.session) && result.kind !== "running") return undefined;
  return post(isLie ? { ...answer, result: { ...result, send: said } } : answer);
};

await import("../compute/worker.ts");
parentPort.on("message", (messages) => {
  for (const work of messages) note(fromClone(work));
});

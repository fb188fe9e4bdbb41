// The compute worker from source, of a signer that lies: while a file says so, it signs another payload than it should, in
// messages of one round and kind, and keeps for itself what its sessions come to. Its signatures are good, its words are not.
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { register } from "tsx/esm/api";

const orders = join(tmpdir(), `conclave-lies-${process.pid}`);
/** @returns {{ round: number, kind: number } | undefined} */
const ordered = () => (existsSync(orders) ? JSON.parse(readFileSync(orders, "utf8")) : undefined);

register();
const { decodeHostConfig } = await import("@conclave/cluster/compute");
const { decodeResult, encodeResult } = await import("@conclave/cluster");
const { signEnvelope } = await import("@conclave/threshold/testing");
const secrets = decodeHostConfig(workerData.host).secrets.reveal();
const hasLied = new Set();

const lied = (envelope, lie) => {
  const { session, round, kind, from, to, payload } = envelope;
  if (lie === undefined || round !== lie.round || kind !== lie.kind) return envelope;
  const changed = payload.with(payload.length - 1, payload.at(-1) ^ 1);
  return signEnvelope({ session, round, kind, from, to }, changed, secrets.identity);
};

const post = parentPort.postMessage.bind(parentPort);
parentPort.postMessage = (answer) => {
  if (answer.kind !== "result") return post(answer);
  const result = decodeResult(answer.result);
  const { send = [] } = result;
  const lie = ordered();
  const said = send.map((envelope) => lied(envelope, lie));
  const isLie = said.some((envelope, at) => envelope !== send[at]);
  if (isLie) hasLied.add(answer.session);
  else if (hasLied.has(answer.session) && result.kind !== "running") return undefined;
  return post(isLie ? { ...answer, result: encodeResult({ ...result, send: said }) } : answer);
};

await import("../compute/worker.ts");

import { randomBytes } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import {
  compute,
  decodeHostConfig,
  decodeTask,
  drop,
  encodeResult,
  isIdle,
  openHost,
  prepareFor,
  workAhead,
} from "@conclave/cluster/compute";
import { Secret } from "@conclave/threshold";
import { openIdleWork } from "./idle-work.ts";
import { LiveFirst } from "./live-first.ts";
import type { FromWorker, ToWorker, WorkerStart } from "./messages.ts";

/**
 * The entry of a worker thread: it holds a compute host, with all secrets of its sessions, and nothing else. A throw
 * ends the worker; the pool tells whose sessions that ended and starts another.
 */
const entropy = (length: number): Uint8Array => new Uint8Array(randomBytes(length));

const start: WorkerStart = workerData;
let host = openHost(decodeHostConfig(start.host));

const tasks = new LiveFirst(({ session, task }) => {
  const computed = compute(host, session, decodeTask(task), entropy);
  host = computed.host;
  const answer: FromWorker = { session, result: encodeResult(computed.result) };
  parentPort?.postMessage(answer);
  touch();
});

const touch = openIdleWork({
  isIdle: () => tasks.isEmpty && isIdle(host),
  work: () => {
    host = workAhead(host, entropy);
  },
});

const take = (message: ToWorker): void => {
  switch (message.kind) {
    case "task":
      tasks.push(message);
      return;
    case "drop":
      tasks.drop(message.session);
      host = drop(host, message.session);
      return;
    case "prepare":
      host = prepareFor(host, new Secret(message.auxiliary));
      return;
  }
};

parentPort?.on("message", (messages: readonly ToWorker[]) => {
  for (const message of messages) take(message);
  touch();
});

import { randomBytes } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import {
  compute,
  decodeHostConfig,
  decodeTask,
  drop,
  encodeResult,
  openHost,
} from "@conclave/cluster/compute";
import type { FromWorker, ToWorker, WorkerStart } from "./messages.ts";

/**
 * The entry of a worker thread: it holds a compute host, with all secrets of its sessions, and nothing else. A throw
 * ends the worker; the pool tells whose sessions that ended and starts another.
 */
const entropy = (length: number): Uint8Array => new Uint8Array(randomBytes(length));

const start: WorkerStart = workerData;
let host = openHost(decodeHostConfig(start.host));

parentPort?.on("message", (message: ToWorker) => {
  if (message.kind === "drop") {
    host = drop(host, message.session);
    return;
  }
  const computed = compute(host, message.session, decodeTask(message.task), entropy);
  host = computed.host;
  const answer: FromWorker = { session: message.session, result: encodeResult(computed.result) };
  parentPort?.postMessage(answer);
});

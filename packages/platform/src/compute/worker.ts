import { randomBytes } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import type { SessionKey } from "@conclave/cluster";
import {
  type Computed,
  compute,
  decodeHostConfig,
  decodeTask,
  drop,
  encodeResult,
  isIdle,
  openHost,
  performCheck,
  prepareFor,
  resumeWith,
  takeJobs,
  workAhead,
  workBefore,
} from "@conclave/cluster/compute";
import { Secret } from "@conclave/threshold";
import { openIdleWork } from "./idle-work.ts";
import { LiveFirst, type Performed } from "./live-first.ts";
import type { FromWorker, ToWorker, Work, WorkerStart } from "./messages.ts";

/**
 * The entry point of a worker thread. The worker holds one compute host with the secrets of its sessions, and nothing else. An
 * exception ends the worker; the pool then reports the lost sessions and starts another worker.
 */
const entropy = (length: number): Uint8Array => new Uint8Array(randomBytes(length));

const start: WorkerStart = workerData;
let host = openHost(decodeHostConfig(start.host), start.checks);

const say = (answer: FromWorker): void => parentPort?.postMessage(answer);

const tell = (session: SessionKey, computed: Computed): void => {
  const taken = takeJobs(computed.host, session);
  host = taken.host;
  say({ kind: "result", session, result: encodeResult(computed.result), jobs: taken.jobs });
};

const perform = (work: Work): Performed => {
  const { session } = work;
  switch (work.kind) {
    case "task": {
      const task = decodeTask(work.task);
      const prepared = workBefore(host, task, entropy);
      host = prepared ?? host;
      if (prepared !== undefined) return "begun";
      tell(session, compute(host, session, task, entropy));
      return "done";
    }
    case "verdicts":
      tell(session, resumeWith(host, session, work.verdicts, entropy));
      return "done";
    case "check": {
      const auxiliary = work.auxiliary === undefined ? undefined : new Secret(work.auxiliary);
      const checked = performCheck(host, work.job, auxiliary);
      host = checked.host;
      say({ kind: "verdict", session, at: work.at, verdict: checked.verdict });
      return "done";
    }
  }
};

const waiting = new LiveFirst((work) => {
  const performed = perform(work);
  touch();
  return performed;
});

const touch = openIdleWork({
  isIdle: () => waiting.isEmpty && isIdle(host),
  work: () => {
    host = workAhead(host, entropy);
  },
});

const take = (message: ToWorker): void => {
  switch (message.kind) {
    case "task":
    case "check":
    case "verdicts":
      waiting.push(message);
      return;
    case "drop":
      waiting.drop(message.session);
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

import { parentPort, workerData } from "node:worker_threads";
import type { SessionKey } from "@conclave/cluster";
import {
  type Computed,
  compute,
  drop,
  forClone,
  fromClone,
  isIdle,
  openHost,
  performCheck,
  prepareFor,
  resumeWith,
  takeJobs,
  workAhead,
  workBefore,
} from "@conclave/cluster/compute";
import { processEntropy as entropy } from "../entropy.ts";
import { openIdleWork } from "./idle-work.ts";
import { LiveFirst, type Performed } from "./live-first.ts";
import type { FromWorker, SentFromWorker, SentStart, SentToWorker, ToWorker, Work } from "./messages.ts";

/**
 * The entry point of a worker thread. The worker holds one compute host with the secrets of its sessions, and no other
 * state. An exception ends the worker; the pool then reports the lost sessions and starts another worker.
 */
const sent: SentStart = workerData;
const start = fromClone(sent);
let host = openHost(start.host, start.checks);

const say = (answer: FromWorker): void => {
  const message: SentFromWorker = forClone(answer);
  parentPort?.postMessage(message);
};

const sayResult = (session: SessionKey, computed: Computed): void => {
  const taken = takeJobs(computed.host, session);
  host = taken.host;
  say({ kind: "result", session, result: computed.result, jobs: taken.jobs });
};

const perform = (work: Work): Performed => {
  const { session } = work;
  switch (work.kind) {
    case "task": {
      const prepared = workBefore(host, work.task, entropy);
      host = prepared ?? host;
      if (prepared !== undefined) return "begun";
      sayResult(session, compute(host, session, work.task, entropy));
      return "done";
    }
    case "verdicts":
      sayResult(session, resumeWith(host, session, work.verdicts, entropy));
      return "done";
    case "check": {
      const checked = performCheck(host, work.job, work.auxiliary);
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
      host = prepareFor(host, message.auxiliary);
      return;
  }
};

parentPort?.on("message", (messages: SentToWorker) => {
  for (const message of messages) take(fromClone(message));
  touch();
});

import type { Entropy } from "@conclave/threshold";
import { forClone, fromClone } from "../compute/clone.ts";
import { compute, openHost } from "../compute/host.ts";
import { drop } from "../compute/host-state.ts";
import type { ComputeResult, ComputeTask, HostConfig } from "../compute/task.ts";
import type { SessionKey } from "../control/session-key.ts";

/** Computes a signer's sessions. */
export interface Engine {
  readonly compute: (session: SessionKey, task: ComputeTask) => ComputeResult;
  readonly drop: (session: SessionKey) => void;
}

/** The real cryptography; all inputs and outputs are cloned, as on their way to a worker. */
export const realEngine = (config: HostConfig, entropy: Entropy): Engine => {
  let host = openHost(cloned(config));
  return {
    compute: (session, task) => {
      const computed = compute(host, session, cloned(task), entropy);
      host = computed.host;
      return cloned(computed.result);
    },
    drop: (session) => {
      host = drop(host, session);
    },
  };
};

/** not in ECMAScript's types, but in every runtime that has worker threads */
declare const structuredClone: <T>(value: T) => T;

const cloned = <T>(value: T): T => fromClone(structuredClone(forClone(value)));

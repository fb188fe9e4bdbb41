import type { Entropy } from "@conclave/threshold";
import { compute, openHost } from "../compute/host.ts";
import { drop } from "../compute/host-state.ts";
import type { ComputeResult, ComputeTask, HostConfig } from "../compute/task.ts";
import {
  decodeHostConfig,
  decodeResult,
  decodeTask,
  encodeHostConfig,
  encodeResult,
  encodeTask,
} from "../compute/wire.ts";
import type { SessionKey } from "../control/session-key.ts";

/** Where a signer's sessions run. */
export interface Engine {
  readonly compute: (session: SessionKey, task: ComputeTask) => ComputeResult;
  readonly drop: (session: SessionKey) => void;
}

/** The real cryptography, with everything that passes in or out taken through the worker's wire. */
export const realEngine = (config: HostConfig, entropy: Entropy): Engine => {
  let host = openHost(decodeHostConfig(encodeHostConfig(config)));
  return {
    compute: (session, task) => {
      const computed = compute(host, session, decodeTask(encodeTask(task)), entropy);
      host = computed.host;
      return decodeResult(encodeResult(computed.result));
    },
    drop: (session) => {
      host = drop(host, session);
    },
  };
};

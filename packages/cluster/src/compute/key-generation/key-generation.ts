import {
  type Entropy,
  type GroupPoint,
  mapOutput,
  openSession,
  type Progress,
  type Scheme,
  type SessionConfig,
  type Start,
  startKeyGeneration,
  withScheme,
} from "@conclave/threshold";
import type { SessionKey } from "../../control/session-key.ts";
import { type Computed, type Host, keep } from "../host-state.ts";
import { outputOf, unfinished } from "../progress.ts";
import { configOf } from "../session-config.ts";
import { madeKey } from "./made-key.ts";
import type { KeyGenerationTask, MadeKey } from "./task.ts";

export const openKeyGeneration = (
  host: Host,
  session: SessionKey,
  task: KeyGenerationTask,
  entropy: Entropy,
): Computed => {
  const config = configOf(host, session, task.parties);
  return settleKeyGeneration(host, session, openSession(config, startKey(config, task), entropy));
};

/** @throws RangeError when the configuration is unfit: a bug of ours */
const startKey = (
  { session, self }: SessionConfig,
  { scheme: name, parties, keyId, threshold, epoch }: KeyGenerationTask,
): Start<MadeKey> =>
  withScheme(name, <P extends GroupPoint<P>>(scheme: Scheme<P>) =>
    mapOutput(startKeyGeneration<P>({ session, self, parties, keyId, threshold, epoch, scheme }), (share) =>
      madeKey(scheme, share),
    ),
  );

export const settleKeyGeneration = (
  host: Host,
  session: SessionKey,
  progress: Progress<MadeKey>,
): Computed => {
  const next = keep(host, session, { kind: "keygen", session: progress.session });
  const open = unfinished("keygen", progress);
  if (open !== undefined) return { host: next, result: open };
  return { host: next, result: { kind: "key", ...outputOf(progress), send: progress.send } };
};

import { type Entropy, openSession, type Progress } from "@conclave/threshold";
import type { SessionKey } from "../../control/session-key.ts";
import { KEYS_DECODED_MAX, lookUpDecoded, withoutOlder } from "../decoded.ts";
import { type Computed, type Host, keep } from "../host-state.ts";
import { outputOf, unfinished } from "../progress.ts";
import { configOf } from "../session-config.ts";
import { readFrostKey } from "./frost-key.ts";
import type { FrostTask } from "./task.ts";

export const openFrost = (host: Host, session: SessionKey, task: FrostTask, entropy: Entropy): Computed => {
  const { scheme, signers, message, merkleRoot } = task;
  const tweak = merkleRoot === undefined ? {} : { merkleRoot };
  const config = configOf(host, session, signers);
  const key = lookUpDecoded(host.frostKeys, readFrostKey(scheme), task.key, KEYS_DECODED_MAX);
  const start = key.value.start({ session: config.session, self: config.self, signers, message, ...tweak });
  const warm: Host = { ...host, frostKeys: withoutOlder(key) };
  return settleFrost(warm, session, openSession(config, start, entropy));
};

export const settleFrost = (host: Host, session: SessionKey, progress: Progress<Uint8Array>): Computed => {
  const next = keep(host, session, { kind: "frost", session: progress.session });
  const open = unfinished("frost", progress);
  if (open !== undefined) return { host: next, result: open };
  const { send } = progress;
  return { host: next, result: { kind: "frost-signature", signature: outputOf(progress), send } };
};

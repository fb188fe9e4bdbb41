import {
  type AuxiliaryInfo,
  auxiliaryInfoCodec,
  type Entropy,
  encode,
  openSession,
  type Progress,
  Secret,
  startAuxiliaryGeneration,
} from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import type { SessionKey } from "../../control/session-key.ts";
import { type Computed, type Host, keep } from "../host-state.ts";
import { outputOf, unfinished } from "../progress.ts";
import { configOf } from "../session-config.ts";
import { auxiliaryDigest } from "./auxiliary-digest.ts";
import { isSoundAuxiliary } from "./sound-auxiliary.ts";
import type { AuxiliaryTask } from "./task.ts";

export const openAuxiliary = (
  host: Host,
  session: SessionKey,
  { parties, epoch, primes }: AuxiliaryTask,
  entropy: Entropy,
): Computed => {
  const config = configOf(host, session, parties);
  const { parameters } = host.config;
  const run = { session: config.session, self: config.self, parties, epoch, parameters, primes };
  return settleAuxiliary(host, session, openSession(config, startAuxiliaryGeneration(run), entropy));
};

export const settleAuxiliary = (
  host: Host,
  session: SessionKey,
  progress: Progress<AuxiliaryInfo>,
): Computed => {
  const next = keep(host, session, { kind: "auxiliary", session: progress.session });
  const open = unfinished("auxiliary", progress);
  if (open !== undefined) return { host: next, result: open };
  const output = outputOf(progress);
  const { epoch } = output;
  const bytes = encode(auxiliaryInfoCodec(host.config.parameters), output);
  const checksum = sha256(bytes);
  if (!isSoundAuxiliary(bytes, output)) {
    return { host: next, result: { kind: "abort", check: "encoded auxiliary info is not what was made" } };
  }
  const digest = auxiliaryDigest(output);
  const result = { kind: "auxiliary", info: new Secret(bytes), checksum, epoch, digest } as const;
  return { host: next, result: { ...result, send: progress.send } };
};

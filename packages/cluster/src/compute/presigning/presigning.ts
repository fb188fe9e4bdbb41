import {
  auxiliaryInfoCodec,
  awaited,
  CGGMP24,
  deliver,
  type Entropy,
  type Envelope,
  encode,
  holdsOwnShares,
  keyShareCodec,
  openSession,
  type Presignature,
  type Progress,
  presignatureCodec,
  presignatureId,
  Secret,
  type SessionConfig,
  SIGNING_ROUND,
  startPresigning,
} from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { SessionKey } from "../../control/session-key.ts";
import { takeAhead } from "../ahead.ts";
import {
  AUXILIARIES_DECODED_MAX,
  KEYS_DECODED_MAX,
  lookUpDecoded,
  reading,
  withoutOlder,
} from "../decoded.ts";
import { type Computed, drop, type Host, keep } from "../host-state.ts";
import { keyFitsSigners, UNFIT_QUORUM } from "../key-fits-signers.ts";
import { outputOf, phaseOf, stageOf, unfinished } from "../progress.ts";
import { configOf } from "../session-config.ts";
import type { PresignatureResult, PresigningTask, RunningPresigned, RunningPresigning } from "./task.ts";

/** Partial signatures of one peer that are kept until our own digest is released. */
const HELD_PER_PEER_MAX = 2;
/** Limit for one partial signature, which is one scalar. */
const HELD_PAYLOAD_BYTES_MAX = 1024;

export const openPresigning = (
  host: Host,
  session: SessionKey,
  task: PresigningTask,
  entropy: Entropy,
): Computed => {
  const { signers, purpose } = task;
  const config = configOf(host, session, signers, purpose);
  const codec = auxiliaryInfoCodec(host.config.parameters);
  const key = lookUpDecoded(host.keys, reading(keyShareCodec(CGGMP24)), task.key, KEYS_DECODED_MAX);
  const auxiliary = lookUpDecoded(host.auxiliaries, reading(codec), task.auxiliary, AUXILIARIES_DECODED_MAX);
  const warm: Host = { ...host, keys: withoutOlder(key), auxiliaries: auxiliary.memory };
  if (!keyFitsSigners(key.value.info, signers) || !signers.every((each) => auxiliary.value.peers.has(each))) {
    return { host: warm, result: { kind: "abort", check: UNFIT_QUORUM } };
  }
  const { host: next, ...ahead } = takeAhead(warm, auxiliary.value, signers, purpose);
  const start = startPresigning({
    session: config.session,
    self: config.self,
    signers,
    key: key.value,
    auxiliary: auxiliary.value,
    ...ahead,
  });
  return settlePresigning(next, session, openSession(config, start, entropy), []);
};

export const settlePresigning = (
  host: Host,
  session: SessionKey,
  progress: Progress<Presignature>,
  held: readonly Envelope[],
): Computed => {
  const open = unfinished("presign", progress);
  if (open !== undefined) {
    return { host: keep(host, session, { kind: "presign", session: progress.session, held }), result: open };
  }
  const { config } = progress.session;
  const presigned: RunningPresigned = { kind: "presigned", config, presignature: outputOf(progress), held };
  return { host: keep(host, session, presigned), result: { kind: "presigned", send: progress.send } };
};

/** Delivers an envelope to a session that presigns, or that has presigned and waits for its digest. */
export const deliverToPresigning = (
  host: Host,
  session: SessionKey,
  run: RunningPresigning | RunningPresigned,
  envelope: Envelope,
  entropy: Entropy,
): Computed => {
  if (run.kind === "presigned") return hold(host, session, run, run.config, envelope);
  return envelope.round >= SIGNING_ROUND
    ? hold(host, session, run, run.session.config, envelope)
    : settlePresigning(host, session, deliver(run.session, envelope, entropy), run.held);
};

/** Keeps a partial signature that came before the online round is open here; it is checked when that round opens. */
const hold = (
  host: Host,
  session: SessionKey,
  run: RunningPresigning | RunningPresigned,
  config: SessionConfig,
  envelope: Envelope,
): Computed => {
  const stage = run.kind === "presigned" ? "presigned" : stageOf("presign", run.session);
  const where =
    run.kind === "presigned"
      ? { awaiting: [], phase: 0 }
      : { awaiting: awaited(run.session), phase: phaseOf(run.session) };
  const running = { kind: "running", stage, send: [], ...where } as const;
  if (envelope.round < SIGNING_ROUND) return { host, result: { ...running, ignored: "stale" } };
  const known = config.parties.some((party) => party === envelope.from && party !== config.self);
  if (!known) return { host, result: { ...running, ignored: "foreign" } };
  const ofPeer = run.held.filter(({ from }) => from === envelope.from).length;
  if (ofPeer >= HELD_PER_PEER_MAX || envelope.payload.length > HELD_PAYLOAD_BYTES_MAX) {
    return { host, result: { ...running, ignored: "overfull" } };
  }
  return { host: keep(host, session, { ...run, held: [...run.held, envelope] }), result: running };
};

/** The presignature goes to the pool, and its session ends: the host can no longer sign with it. */
export const surrenderPresignature = (host: Host, session: SessionKey): Computed => {
  const run = host.runs.get(session);
  if (run?.kind !== "presigned") throw new Error("only a presignature that is there can be exported");
  return { host: drop(host, session), result: exportPresignature(run.presignature) };
};

/**
 * Turns a presignature into bytes for the pool. The value has no secret afterwards: only the bytes do (P6).
 *
 * @throws when our shares are not those that the peers know of, as the peers would accuse us of cheating (INV-7)
 */
const exportPresignature = (presignature: Presignature): PresignatureResult => {
  if (!holdsOwnShares(presignature)) throw new Error("a presignature does not hold its own shares");
  const bytes = new Secret(encode(presignatureCodec, presignature));
  presignature.secret.take();
  return {
    kind: "presignature",
    id: bytesToHex(presignatureId(presignature.session)),
    presignature: bytes,
  };
};

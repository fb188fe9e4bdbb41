import {
  type AuxiliaryInfo,
  auxiliaryInfoCodec,
  awaited,
  CGGMP24,
  deliver,
  type Entropy,
  type Envelope,
  encode,
  type KeyShare,
  keyShareCodec,
  type MaskStore,
  openSession,
  type PartyIndex,
  type Presignature,
  type Progress,
  resume,
  Secret,
  type Session,
  type SessionConfig,
  SIGNING_ROUND,
  type Signature,
  type Start,
  startAuxiliaryGeneration,
  startPresigning,
  startSigning,
} from "@conclave/threshold";
import { hexToBytes } from "@noble/hashes/utils.js";
import type { SessionKey } from "../control/session-key.ts";
import { AUXILIARIES_DECODED_MAX, takeAhead } from "./ahead.ts";
import { auxiliaryDigest } from "./auxiliary-digest.ts";
import { type ChecksAway, type ChecksPlace, placeOf, verdictsOf } from "./checks.ts";
import { type Decoded, reading, remember, withoutOlder } from "./decoded.ts";
import { type ChangedKey, startKeyRefresh, startKeyReshare } from "./key-change.ts";
import { type KeyEnd, sealExport, startNewKey } from "./key-passage.ts";
import { exportPresignature, startPooled } from "./pooled.ts";
import { outputOf, stageOf, unfinished } from "./progress.ts";
import { type FrostKey, isQuorumOf, readFrostKey, UNFIT_QUORUM } from "./schemes.ts";
import type { ComputeResult, ComputeTask, HostConfig, PresigningPurpose } from "./task.ts";

/** Sessions of one host; the brain admits fewer. */
export const HOST_SESSIONS_MAX = 256;
/** Partial signatures that came before our own digest was released, kept for one peer. */
export const HELD_PER_PEER_MAX = 2;
/** A partial signature is one scalar. */
export const HELD_PAYLOAD_BYTES_MAX = 1024;
const KEYS_DECODED_MAX = 256;

/** A run of one session in the host. `presigned` holds the presignature; `held` waits for the online round. */
type Run =
  | { readonly kind: "auxiliary"; readonly session: Session<AuxiliaryInfo> }
  | { readonly kind: "keygen" | "import"; readonly session: Session<KeyEnd> }
  | { readonly kind: "key-change"; readonly session: Session<ChangedKey> }
  | {
      readonly kind: "presign";
      readonly session: Session<Presignature>;
      readonly held: readonly Envelope[];
    }
  | {
      readonly kind: "presigned";
      readonly config: SessionConfig;
      readonly presignature: Presignature;
      readonly held: readonly Envelope[];
    }
  | { readonly kind: "sign"; readonly session: Session<Signature> }
  | { readonly kind: "frost"; readonly session: Session<Uint8Array> };

/** All sessions of a signer with their secrets: a value, so that a test can run it where a worker would. */
export interface Host {
  readonly config: HostConfig;
  readonly runs: ReadonlyMap<SessionKey, Run>;
  /** shares of ECDSA keys */
  readonly keys: Decoded<KeyShare>;
  readonly frostKeys: Decoded<FrostKey>;
  readonly auxiliaries: Decoded<AuxiliaryInfo>;
  /** made in idle time (ahead.ts) */
  readonly masks: MaskStore | undefined;
  /** of presignings for the pool that are about to begin */
  readonly poolMasks: MaskStore | undefined;
  readonly checks: ChecksPlace;
  /** what was handed out and not yet answered */
  readonly away: ChecksAway;
}

export interface Computed {
  readonly host: Host;
  readonly result: ComputeResult;
}

/** @param checks other than "here" when somebody does the checks that `takeJobs` gives, and answers with `resumeWith` */
export const openHost = (config: HostConfig, checks: ChecksPlace = "here"): Host => ({
  config,
  checks,
  away: new Map(),
  runs: new Map(),
  keys: new Map(),
  frostKeys: new Map(),
  auxiliaries: new Map(),
  masks: undefined,
  poolMasks: undefined,
});

/**
 * Does one task of a session.
 *
 * @param session the session's id in hex
 * @param entropy for the protocol's secrets
 * @throws when the brain breaks the order of tasks (opening a session twice, signing before presigning) or hands in
 *   stored bytes that do not decode: never because of anything a peer sent
 */
export const compute = (host: Host, session: SessionKey, task: ComputeTask, entropy: Entropy): Computed => {
  switch (task.kind) {
    case "open-auxiliary":
      return openAuxiliary(host, session, task, entropy);
    case "open-key":
    case "open-import":
      return openKey(host, session, task, entropy);
    case "seal-export":
      return { host, result: sealExport(task, entropy) };
    case "open-refresh":
    case "open-reshare":
      return openKeyChange(host, session, task, entropy);
    case "open-presigning":
      return openPresigning(host, session, task, entropy);
    case "open-signing":
      return openSigning(host, session, task.digest, entropy);
    case "export-presignature":
      return surrenderPresignature(host, session);
    case "open-pooled-signing":
      return openPooledSigning(host, session, task, entropy);
    case "open-frost":
      return openFrost(host, session, task, entropy);
    case "deliver":
      return deliverTo(host, session, task.envelope, entropy);
  }
};

/** Forgets a session and the last references to its secrets. */
export const drop = (host: Host, session: SessionKey): Host => {
  const [runs, away] = [new Map(host.runs), new Map(host.away)];
  runs.delete(session);
  away.delete(session);
  return { ...host, runs, away };
};

const keep = (host: Host, session: SessionKey, run: Run): Host => ({
  ...host,
  runs: new Map(host.runs).set(session, run),
});

type Task<Kind extends ComputeTask["kind"]> = Extract<ComputeTask, { readonly kind: Kind }>;

const configOf = (
  host: Host,
  session: SessionKey,
  parties: readonly PartyIndex[],
  purpose: PresigningPurpose = "request",
): SessionConfig => {
  if (host.runs.has(session)) throw new Error("a session of the compute host was opened twice");
  if (host.runs.size >= HOST_SESSIONS_MAX) throw new Error("the compute host is full");
  const { self, peers, secrets } = host.config;
  const checks = placeOf(host.checks, purpose);
  return { session: hexToBytes(session), self, parties, peers, secrets, checks };
};

const openAuxiliary = (
  host: Host,
  session: SessionKey,
  { parties, epoch, primes }: Task<"open-auxiliary">,
  entropy: Entropy,
): Computed => {
  const config = configOf(host, session, parties);
  const { parameters } = host.config;
  const run = { session: config.session, self: config.self, parties, epoch, parameters, primes };
  return settleAuxiliary(host, session, openSession(config, startAuxiliaryGeneration(run), entropy));
};

const openKey = (
  host: Host,
  session: SessionKey,
  task: Task<"open-key" | "open-import">,
  entropy: Entropy,
): Computed => {
  const config = configOf(host, session, task.parties);
  const kind = task.kind === "open-key" ? "keygen" : "import";
  return settleKey(host, session, kind, openSession(config, startNewKey(config, task), entropy));
};

const openKeyChange = (
  host: Host,
  session: SessionKey,
  task: Task<"open-refresh" | "open-reshare">,
  entropy: Entropy,
): Computed => {
  const config = configOf(host, session, task.parties);
  const start =
    task.kind === "open-refresh"
      ? startKeyRefresh(config.session, task)
      : startKeyReshare(config.session, config.self, task);
  return settleKeyChange(host, session, openSession(config, start, entropy));
};

const openPresigning = (
  host: Host,
  session: SessionKey,
  task: Task<"open-presigning">,
  entropy: Entropy,
): Computed => {
  const { signers, purpose } = task;
  const config = configOf(host, session, signers, purpose);
  const codec = auxiliaryInfoCodec(host.config.parameters);
  const key = remember(host.keys, reading(keyShareCodec(CGGMP24)), task.key, KEYS_DECODED_MAX);
  const auxiliary = remember(host.auxiliaries, reading(codec), task.auxiliary, AUXILIARIES_DECODED_MAX);
  const warm: Host = { ...host, keys: withoutOlder(key), auxiliaries: auxiliary.memory };
  if (!isQuorumOf(key.value.info, signers) || !signers.every((each) => auxiliary.value.peers.has(each))) {
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
  return settlePresign(next, session, openSession(config, start, entropy), []);
};

const openSigning = (host: Host, session: SessionKey, digest: Uint8Array, entropy: Entropy): Computed => {
  const run = host.runs.get(session);
  if (run?.kind !== "presigned") throw new Error("the online round needs the session's own presignature");
  const { config, presignature, held } = run;
  const start: Start<Signature> = startSigning({ self: config.self, presignature, digest });
  let progress = openSession(config, start, entropy);
  const send = [...progress.send];
  for (const envelope of held) {
    progress = deliver(progress.session, envelope, entropy);
    send.push(...progress.send);
  }
  return settleSign(host, session, { ...progress, send });
};

/** The presignature leaves for the pool, and the session with it: nothing signs with it here. */
const surrenderPresignature = (host: Host, session: SessionKey): Computed => {
  const run = host.runs.get(session);
  if (run?.kind !== "presigned") throw new Error("only a presignature that is there can be exported");
  return { host: drop(host, session), result: exportPresignature(run.presignature) };
};

const openPooledSigning = (
  host: Host,
  session: SessionKey,
  task: Task<"open-pooled-signing">,
  entropy: Entropy,
): Computed => {
  const { signers, start } = startPooled(host.config.self, task);
  return settleSign(host, session, openSession(configOf(host, session, signers), start, entropy));
};

const openFrost = (host: Host, session: SessionKey, task: Task<"open-frost">, entropy: Entropy): Computed => {
  const { scheme, signers, message } = task;
  const config = configOf(host, session, signers);
  const key = remember(host.frostKeys, readFrostKey(scheme), task.key, KEYS_DECODED_MAX);
  const start = key.value.start({ session: config.session, self: config.self, signers, message });
  const warm: Host = { ...host, frostKeys: withoutOlder(key) };
  return settleFrost(warm, session, openSession(config, start, entropy));
};

const deliverTo = (host: Host, session: SessionKey, envelope: Envelope, entropy: Entropy): Computed => {
  const run = host.runs.get(session);
  if (run === undefined) return { host, result: { kind: "abort", check: "the session is not open" } };
  switch (run.kind) {
    case "auxiliary":
      return settleAuxiliary(host, session, deliver(run.session, envelope, entropy));
    case "keygen":
    case "import":
      return settleKey(host, session, run.kind, deliver(run.session, envelope, entropy));
    case "key-change":
      return settleKeyChange(host, session, deliver(run.session, envelope, entropy));
    case "presign":
      return envelope.round >= SIGNING_ROUND
        ? hold(host, session, run, run.session.config, envelope)
        : settlePresign(host, session, deliver(run.session, envelope, entropy), run.held);
    case "presigned":
      return hold(host, session, run, run.config, envelope);
    case "sign":
      return settleSign(host, session, deliver(run.session, envelope, entropy));
    case "frost":
      return settleFrost(host, session, deliver(run.session, envelope, entropy));
  }
};

/**
 * Goes on with a session whose checks were handed out; what it gives is the next result of the task that it stopped in.
 *
 * @param verdicts in the order of the jobs
 * @throws when the session has handed out none, or others: never because of anything a peer sent
 */
export const resumeWith = (
  host: Host,
  session: SessionKey,
  verdicts: readonly Uint8Array[],
  entropy: Entropy,
): Computed => {
  const run = host.runs.get(session);
  const given = verdictsOf(host, session, verdicts);
  if (run?.kind === "presign") {
    return settlePresign(host, session, resume(run.session, given, entropy), run.held);
  }
  if (run?.kind === "auxiliary") return settleAuxiliary(host, session, resume(run.session, given, entropy));
  throw new Error("only presigning and auxiliary generation hand out checks");
};

/** Keeps a partial signature that came before the online round is open here; its checks come then. */
const hold = (
  host: Host,
  session: SessionKey,
  run: Extract<Run, { readonly kind: "presign" | "presigned" }>,
  config: SessionConfig,
  envelope: Envelope,
): Computed => {
  const stage = run.kind === "presigned" ? "presigned" : stageOf("presign", run.session);
  const awaiting = run.kind === "presigned" ? [] : awaited(run.session);
  const running = { kind: "running", stage, send: [], awaiting } as const;
  if (envelope.round < SIGNING_ROUND) return { host, result: { ...running, ignored: "stale" } };
  const known = config.parties.some((party) => party === envelope.from && party !== config.self);
  if (!known) return { host, result: { ...running, ignored: "foreign" } };
  const ofPeer = run.held.filter(({ from }) => from === envelope.from).length;
  if (ofPeer >= HELD_PER_PEER_MAX || envelope.payload.length > HELD_PAYLOAD_BYTES_MAX) {
    return { host, result: { ...running, ignored: "overfull" } };
  }
  return { host: keep(host, session, { ...run, held: [...run.held, envelope] }), result: running };
};

const settleAuxiliary = (host: Host, session: SessionKey, progress: Progress<AuxiliaryInfo>): Computed => {
  const next = keep(host, session, { kind: "auxiliary", session: progress.session });
  const open = unfinished("auxiliary", progress);
  if (open !== undefined) return { host: next, result: open };
  const output = outputOf(progress);
  const info = new Secret(encode(auxiliaryInfoCodec(host.config.parameters), output));
  const { epoch } = output;
  const result = { kind: "auxiliary", info, epoch, digest: auxiliaryDigest(output) } as const;
  return { host: next, result: { ...result, send: progress.send } };
};

const settleKey = (
  host: Host,
  session: SessionKey,
  kind: "keygen" | "import",
  progress: Progress<KeyEnd>,
): Computed => {
  const next = keep(host, session, { kind, session: progress.session });
  const open = unfinished(kind, progress);
  if (open !== undefined) return { host: next, result: open };
  return { host: next, result: { ...outputOf(progress), send: progress.send } };
};

const settleKeyChange = (host: Host, session: SessionKey, progress: Progress<ChangedKey>): Computed => {
  const next = keep(host, session, { kind: "key-change", session: progress.session });
  const open = unfinished("key-change", progress);
  if (open !== undefined) return { host: next, result: open };
  return { host: next, result: { kind: "key-changed", ...outputOf(progress), send: progress.send } };
};

const settlePresign = (
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
  const presigned: Run = { kind: "presigned", config, presignature: outputOf(progress), held };
  return { host: keep(host, session, presigned), result: { kind: "presigned", send: progress.send } };
};

const settleSign = (host: Host, session: SessionKey, progress: Progress<Signature>): Computed => {
  const next = keep(host, session, { kind: "sign", session: progress.session });
  const open = unfinished("sign", progress);
  // everybody judges a partial signature alone; ours, if it is not out yet, does not go to a cheat that showed itself
  if (open?.kind === "fault") return { host: next, result: { ...open, send: [] } };
  if (open !== undefined) return { host: next, result: open };
  return {
    host: next,
    result: { kind: "signature", signature: outputOf(progress), send: progress.send },
  };
};

const settleFrost = (host: Host, session: SessionKey, progress: Progress<Uint8Array>): Computed => {
  const next = keep(host, session, { kind: "frost", session: progress.session });
  const open = unfinished("frost", progress);
  if (open !== undefined) return { host: next, result: open };
  const { send } = progress;
  return { host: next, result: { kind: "frost-signature", signature: outputOf(progress), send } };
};

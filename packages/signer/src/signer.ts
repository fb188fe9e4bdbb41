import {
  attestKey,
  type CallId,
  type ComputeTask,
  certificateOf,
  isStoreConfirmed,
  LIFE_BYTES,
  listPresignatures,
  lostToMs,
  openSigner,
  publicKeyInfoOf,
  readHeldKeys,
  type SessionKey,
  type SessionReport,
  Shell,
  type SignerEvent,
  type SignerPorts,
  type SignerState,
  type StoreRolledBack,
  signedForRequest,
  signerStatus,
  spendingCountBytes,
  TICK_MS_MAX,
  UnreadableRecord,
} from "@conclave/cluster";
import { fail, ok, type Result, type World } from "@conclave/custody";
import { warnOfCertificateEnd } from "@conclave/platform/certificates";
import { ComputePool, type WorkerEntry } from "@conclave/platform/compute";
import { reach } from "@conclave/platform/fault-points";
import {
  CONTROL,
  HEALTH,
  HealthService,
  olderServices,
  PEER,
  type RunningServer,
  type SignerStatus,
  serve,
} from "@conclave/platform/grpc";
import { LifeWatch } from "@conclave/platform/life";
import type { Logger } from "@conclave/platform/logger";
import { type SearchEntry, searchAuxiliaryPrimes } from "@conclave/platform/primes";
import type { OpenStore, Vault } from "@conclave/platform/vault";
import { BegunSessions, type SessionNames } from "./begun-sessions.ts";
import { Checking } from "./checking.ts";
import type { SignerSettings } from "./config.ts";
import { onceConfirmed } from "./confirming.ts";
import { Control, type SignerViews } from "./control.ts";
import { carriesPartialSignature, spendsPresignature } from "./fault-points.ts";
import { Forgetting } from "./forgetting.ts";
import { logLastWords } from "./last-words.ts";
import {
  commandRefused,
  copyDoubted,
  envelopeDropped,
  peerDeviated,
  presignatureAskedAgain,
  primeSearchFailed,
  primesFound,
  sessionFailed,
  signingReleased,
  storeChecked,
  storeRolledBack,
  workerDied,
} from "./log-events.ts";
import { mendingNow, warnOfMarks } from "./marks.ts";
import { PeerService, Peers } from "./peers.ts";
import { PrimeSupply } from "./prime-supply.ts";
import { warnOfQuarantines } from "./quarantines.ts";
import { type OpenRecords, openRecords } from "./records.ts";
import { watched } from "./watched-events.ts";

/** Deadlines are noticed this late at most. */
const TICK_MS = TICK_MS_MAX / 4;
/** Open calls have this long to end when the signer stops. */
const STOP_GRACE_MS = 1_000;

/** The allowed callers of each service. */
const ADMISSION = {
  "conclave.signer.v2.Control": ["orchestrator"],
  "conclave.signer.v2.Peer": ["signer"],
  // of an older version: the answer says so
  "conclave.signer.v1.Control": ["orchestrator"],
  "conclave.signer.v1.Peer": ["signer"],
  "grpc.health.v1.Health": ["orchestrator", "signer"],
} as const;

export interface RunningSigner {
  /** the port that is really bound */
  readonly port: number;
  readonly status: () => SignerStatus;
  /** Ends sessions with a failure, answers what is open, closes the store. */
  readonly stop: () => Promise<void>;
}

export interface SignerOptions {
  readonly world: World;
  readonly log: Logger;
  /** the signer cannot go on: the process has to stop, and a restart burns what was open */
  readonly failed: (error: unknown) => void;
  /** where a test runs the workers, and the search for primes, from source */
  readonly workerEntry?: WorkerEntry;
  readonly searchEntry?: SearchEntry;
  /** where a test has the disk fail */
  readonly openStore?: OpenStore;
}

/**
 * Starts a signer: opens its store, its workers, its links and its server, in this order.
 *
 * @returns refusal PassphraseWrong, StoreNewer, StoreDamaged, StoreAltered or StoreOfAnother, outage StoreLocked or StoreUnusable
 */
export const startSigner = async (
  settings: SignerSettings,
  options: SignerOptions,
): Promise<Result<RunningSigner>> => {
  const { vaultFolder, passphrase, machine } = settings;
  const { log, world } = options;
  const { identityKey } = settings.identity;
  const opened = await openRecords(vaultFolder, passphrase, identityKey, machine.reader, options.openStore);
  if (!opened.ok) return opened;
  const { vault, past } = opened.value;
  const first = beginWith(machine, opened.value, options);
  if (!first.ok) {
    await vault.close();
    return first;
  }
  const { state, effects } = first.value;
  warnOfCertificateEnd(settings.tls, world.nowMs(), log);
  const failed = loggedFailure(options);
  const dispatch = watched(world, new LifeWatch(world), (event) => shell.dispatch(event), logDoubt(log));
  const peers = openPeers(settings, log);
  const pool = openPool(settings, options, dispatch, failed);
  const supply = openSupply(settings, options, dispatch);
  const begun = new BegunSessions();
  const control = new Control(
    begun.noting(dispatch),
    viewsOf(world, settings, opened.value, () => ({ shell, status })),
  );
  const released = loggedRelease(log, begun, (run) => shell.state.sessions.get(run)?.call);
  const forgetting = new Forgetting(world, (untilMs, limit) => vault.forget(untilMs, limit), failed);
  const logged = reportingPorts(settings, log, control, begun);
  const ports = { ...portsOf(vault, forgetting, peers, pool, supply, released), ...logged };
  const shell = new Shell(world, state, past, ports, failed);
  shell.begin(effects);
  await shell.settled(); // no answer lists a part of the keys while a store of an older version gets its missing records

  let stage: SignerStatus["state"] = "starting";
  const status = (): SignerStatus => statusOf(world, settings, stage, shell, peers);
  const health = new HealthService();
  const mesh = new PeerService(world, { isBusy: () => shell.isBusy, dispatch }, machine.clusterId);
  const server = await listen(settings, control, mesh, health);
  const checking = openCheck(vault, options, failed);
  peers.connected(); // begins to connect
  const ticker = beginTicking(world, vault, dispatch, failed);
  const isConfirmed = (): boolean => isStoreConfirmed(shell.state);
  const serving = onceConfirmed(world, isConfirmed, () => {
    stage = "ready";
    health.setServing(true);
  });

  const stop = async (): Promise<void> => {
    stage = "stopping";
    health.setServing(false);
    serving.stop();
    ticker.stop();
    control.stop();
    mesh.close();
    health.close();
    supply.close();
    await checking.close();
    await closeAll(server, shell, pool, peers, forgetting, vault);
  };
  return ok({ port: server.port, status, stop });
};

/** Answers the orchestrator and peers from now on. */
const listen = (
  { listen: address, tls, id }: SignerSettings,
  control: Control,
  mesh: PeerService,
  health: HealthService,
): Promise<RunningServer> =>
  serve(address, tls, ADMISSION, [
    { definition: CONTROL, implementation: control.handlers() },
    { definition: PEER, implementation: mesh.handlers() },
    { definition: HEALTH, implementation: health.handlers() },
    ...olderServices(id),
  ]);

const loggedFailure =
  ({ log, failed }: SignerOptions) =>
  (error: unknown): void => {
    logLastWords(log, error);
    failed(error);
  };

/**
 * The first tick asks the peers whether the store is an older copy: until they answer, requests of before wait. The counts that peers said they
 * spent are written with each tick, if no write came since.
 */
const beginTicking = (
  world: World,
  vault: Vault,
  dispatch: (event: SignerEvent) => void,
  failed: (error: unknown) => void,
): ReturnType<World["every"]> => {
  const tick = (): void => {
    dispatch({ kind: "tick" });
    vault.settle().catch(failed);
  };
  tick();
  return world.every(TICK_MS, tick);
};

const openCheck = (vault: Vault, { world, log }: SignerOptions, failed: (error: unknown) => void): Checking =>
  new Checking(
    world,
    () => vault.check(),
    failed,
    (entries) => storeChecked(log, { entries }),
  );

/** The state machine with the records of the store. @returns refusal StoreNewer */
const beginWith = (
  machine: SignerSettings["machine"],
  { records, past }: OpenRecords,
  { world, log }: SignerOptions,
): Result<ReturnType<typeof openSigner>> => {
  const nowMs = world.nowMs();
  try {
    const begun = openSigner(mendingNow(machine, nowMs, log), records, past.read, world.entropy(LIFE_BYTES));
    const { forgotten } = begun.state;
    const { toMs, requestedToMs, olderMs } = forgotten;
    warnOfMarks(Math.max(toMs, requestedToMs, olderMs), nowMs, log);
    warnOfQuarantines(signerStatus(begun.state).quarantined, log);
    return ok(begun);
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error;
    const { record, saysNewer } = error;
    const why = saysNewer
      ? "a newer one wrote it."
      : "it is damaged (then restore the store from a backup of this signer), or a newer version wrote it.";
    return fail("StoreNewer", { record }, `This version cannot read ${record} in the store: ${why}`);
  }
};

/**
 * Answers without a step of the state machine: from the state whose effects are all carried out, and from
 * written records.
 */
const viewsOf = (
  world: World,
  { identity }: SignerSettings,
  { vault, past }: Pick<OpenRecords, "vault" | "past">,
  running: () => { readonly shell: Shell; readonly status: () => SignerStatus },
): SignerViews => {
  const durable = (): SignerState => ({ ...running().shell.durableState, history: past.readWritten });
  const keys: SignerViews["keys"] = (asked) =>
    readHeldKeys(durable(), asked, ({ prefix, after, limit }) => vault.next(prefix, after, limit));
  return {
    isBusy: () => running().shell.isBusy,
    status: () => running().status(),
    keys,
    keyInfo: (keyId) => publicKeyInfoOf(durable(), keyId),
    attestation: (keyId) => attestKey(durable(), keyId, identity.secrets),
    certificate: (subject) => certificateOf(durable(), subject),
    presignatures: (keyId) => listPresignatures(durable(), world.nowMs(), keyId),
    signed: async (asked) => ok(signedForRequest(past.readWritten, asked, lostToMs(durable()))),
  };
};

const openPeers = ({ peers, tls }: SignerSettings, log: Logger): Peers =>
  new Peers(peers, tls, (to, reason) => envelopeDropped(log, { to, reason }));

const openSupply = (
  { parameters }: SignerSettings,
  { log, searchEntry }: SignerOptions,
  dispatch: (event: SignerEvent) => void,
): PrimeSupply =>
  new PrimeSupply(
    (signal) =>
      searchAuxiliaryPrimes(parameters, {
        signal,
        progress: (done, of) => primesFound(log, { done, of }),
        ...(searchEntry === undefined ? {} : { entry: searchEntry }),
      }),
    (session, primes) => dispatch({ kind: "primes", session, primes }),
    (err) => primeSearchFailed(log, { err }),
  );

const openPool = (
  { machine, parameters, identity, workers }: SignerSettings,
  { log, workerEntry }: SignerOptions,
  dispatch: (event: SignerEvent) => void,
  failed: (error: unknown) => void,
): ComputePool =>
  new ComputePool({
    host: { self: machine.self, parameters, peers: machine.roster, secrets: identity.secrets },
    workers,
    computed: (session, result) => dispatch({ kind: "computed", session, result }),
    lost: (sessions, reason) => {
      workerDied(log, { err: reason, sessions: sessions.length });
      dispatch({ kind: "host-lost", sessions });
    },
    failed,
    ...(workerEntry === undefined ? {} : { entry: workerEntry }),
  });

const portsOf = (
  vault: Vault,
  forgetting: Forgetting,
  peers: Peers,
  pool: ComputePool,
  supply: PrimeSupply,
  released: SignerPorts["compute"],
): Omit<SignerPorts, "report" | "alarm"> => ({
  store: ({ record, value, forgetAtMs }) =>
    stored(vault.batch({ puts: [{ record, value, forgetAtMs }], erases: [], sync: true })),
  forget: (untilMs) => forgetting.begin(untilMs),
  erase: (record) => stored(vault.erase(record)),
  batch: async (batch) => {
    await stored(vault.batch(batch));
    FAULT: if (spendsPresignature(batch)) reach("presignature.spent");
  },
  send: (to, envelope) => {
    peers.send(to, envelope);
    FAULT: if (carriesPartialSignature(envelope)) reach("presignature.answered");
  },
  primes: (session) => supply.ask(session),
  compute: (session, task) => {
    released(session, task);
    pool.submit(session, task);
  },
  prepare: (auxiliary) => pool.prepare(auxiliary),
  drop: (session) => {
    supply.forget(session);
    pool.drop(session);
  },
});

/**
 * Says what it means that a write failed. Nothing may be written after it: what reached the disk is unknown, and a disk that failed to
 * make something durable may claim the next time that it has. So the signer ends, and a start reads what is really there (INV-2).
 */
const stored = (write: Promise<void>): Promise<void> =>
  write.catch((cause: unknown) => {
    throw new Error(
      "The signer's store could not be written. Nothing is signed that is not stored, so the signer ends. Free space or mend its disk, then start it again.",
      { cause },
    );
  });

const logDoubt =
  (log: Logger) =>
  (doubt: string): void =>
    copyDoubted(log, { doubt });

const logAlarm = ({ id, machine }: SignerSettings, log: Logger, alarm: StoreRolledBack): void => {
  const { shownBy, held, signed } = alarm;
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
  storeRolledBack(id)(log, {
    shownBy,
    held,
    signed: {
      clusterId: machine.clusterId,
      signer: machine.self,
      count: signed.count,
      signature: hex(signed.signature),
      bytes: hex(spendingCountBytes(machine.clusterId, machine.self, signed.count)),
    },
  });
};

const reportingPorts = (
  settings: SignerSettings,
  log: Logger,
  control: Control,
  begun: BegunSessions,
): Pick<SignerPorts, "report" | "alarm"> => ({
  report: loggedReport(log, control, begun),
  alarm: (alarm) => logAlarm(settings, log, alarm),
});

const loggedReport =
  (log: Logger, control: Control, begun: BegunSessions): SignerPorts["report"] =>
  (call, said) => {
    FAULT: if (said.kind === "presigned") reach("presignature.made");
    logReport(log, said, () => begun.namesOf(call));
    if (said.kind !== "progress") begun.end(call);
    control.report(call, said);
  };

/** Log lines for operators; never a payload, and nothing of a session that went well but its release. */
const logReport = (log: Logger, report: SessionReport, names: () => SessionNames): void => {
  if (report.kind === "fault") {
    const { accused: culprit, check } = report.evidence;
    peerDeviated(log, { ...names(), culprit, check });
  }
  if (report.kind === "failure") {
    const { reason, silent } = report;
    sessionFailed(log, { ...names(), reason, silent });
  }
  if (report.kind === "refusal") {
    const { code, message } = report.problem;
    if (code === "PresignatureReused") presignatureAskedAgain(log, { ...names(), code, message });
    else commandRefused(log, { ...names(), code });
  }
};

/** Logs the first task of a session that makes a partial signature: all that it spends is durable by then (INV-2). */
const loggedRelease =
  (log: Logger, begun: BegunSessions, callOf: (run: SessionKey) => CallId | undefined) =>
  (run: SessionKey, task: ComputeTask): void => {
    if (!makesPartialSignature(task)) return;
    const call = callOf(run);
    const names = call === undefined ? undefined : begun.release(call);
    if (names !== undefined) signingReleased(log, names);
  };

const makesPartialSignature = ({ kind }: ComputeTask): boolean =>
  kind === "open-signing" || kind === "open-pooled-signing" || kind === "open-frost";

const statusOf = (
  world: World,
  { id, machine }: SignerSettings,
  stage: SignerStatus["state"],
  shell: Shell,
  peers: Peers,
): SignerStatus => {
  const { auxiliary, keyCount, keysToRefresh, sessions, quarantined, pool } = signerStatus(
    shell.durableState,
  );
  const { user, system } = process.cpuUsage();
  return {
    index: machine.self,
    id,
    state: stage,
    parameters: machine.parameters,
    auxiliaryEpoch: auxiliary.epoch,
    auxiliaryDigest: auxiliary.digest,
    pendingAuxiliary: auxiliary.pending,
    keyCount,
    keysToRefresh,
    sessions: sessions.map(({ session, ...rest }) => ({
      ...rest,
      session: new Uint8Array(Buffer.from(session, "hex")),
    })),
    cpuMicroseconds: user + system,
    residentBytes: process.memoryUsage.rss(),
    connectedPeers: peers.connected(),
    quarantined,
    clockMs: world.nowMs(),
    life: shell.state.life,
    pool,
  };
};

const closeAll = async (
  server: RunningServer,
  shell: Shell,
  pool: ComputePool,
  peers: Peers,
  forgetting: Forgetting,
  vault: Vault,
): Promise<void> => {
  await server.stop(STOP_GRACE_MS);
  await pool.close();
  await shell.settled();
  peers.close();
  await forgetting.close();
  await vault.close();
};

import {
  isStoreConfirmed,
  LIFE_BYTES,
  openSigner,
  Shell,
  type SignerEvent,
  signerStatus,
  TICK_MS_MAX,
  UnreadableRecord,
} from "@conclave/cluster";
import { fail, ok, type Result, type Timer } from "@conclave/custody";
import type { SignerStatus } from "@conclave/platform/grpc";
import { LifeWatch } from "@conclave/platform/life";
import { BegunSessions } from "../begun-sessions.ts";
import { Checking } from "../checking.ts";
import { onceConfirmed } from "../confirming.ts";
import { Control } from "../control.ts";
import { deliveryTo } from "../delivery.ts";
import { Forgetting } from "../forgetting.ts";
import { logLastWords } from "../last-words.ts";
import {
  copyDoubted,
  envelopeDropped,
  primeSearchFailed,
  primesFound,
  storeChecked,
  workerDied,
} from "../log-events.ts";
import { mendingNow, warnOfMarks } from "../marks.ts";
import { PrimeSupply } from "../prime-supply.ts";
import { warnOfQuarantines } from "../quarantines.ts";
import type { SignerStore } from "../records.ts";
import { watched } from "../watched-events.ts";
import type { ComputeHost, PeerLinks, ServedSigner, Serving, SignerParts } from "./parts.ts";
import { loggedAlarm, loggedRelease, loggedReport } from "./reports.ts";
import { shellPorts } from "./shell-ports.ts";
import { statusOf, viewsOf } from "./views.ts";

/** Deadlines are noticed this late at most. */
const TICK_MS = TICK_MS_MAX / 4;

/** A signer that runs. */
export interface AssembledSigner extends ServedSigner {
  readonly status: () => SignerStatus;
  /** Ends sessions with a failure, answers what is open, closes the store. */
  readonly stop: () => Promise<void>;
}

/**
 * Puts a signer together and starts it: its state machine with the records of its store, then its links and its compute host, then those
 * who are to call it, then all that it does by itself. A process and a simulated world hand in their own parts, and are otherwise alike.
 *
 * @returns refusal StoreNewer, with the store closed
 */
export const assembleSigner = async (parts: SignerParts): Promise<Result<AssembledSigner>> => {
  const { world, log, records } = parts;
  const { vault: store, past } = records;
  const first = beginWith(parts);
  if (!first.ok) {
    await store.close();
    return first;
  }
  const failed = loggedFailure(parts);
  const doubted = (doubt: string): void => copyDoubted(log, { doubt });
  const watch = new LifeWatch(world, parts.bootId);
  const dispatch = watched(world, watch, (event) => shell.dispatch(event), doubted);
  const links = parts.openLinks((to, reason) => envelopeDropped(log, { to, reason }));
  const compute = openCompute(parts, dispatch, failed);
  const supply = openSupply(parts, dispatch);
  const begun = new BegunSessions();
  const control = new Control(
    begun.noting(dispatch),
    viewsOf(parts, () => ({ shell, status })),
  );
  const released = loggedRelease(log, begun, (run) => shell.state.sessions.get(run)?.call);
  const forgetting = new Forgetting(world, (untilMs, limit) => store.forget(untilMs, limit), failed);
  const ports = {
    ...shellPorts({ store, forgetting, links, compute, supply, released }),
    report: loggedReport(log, control, begun),
    alarm: loggedAlarm(parts),
  };
  const shell = new Shell(world, first.value.state, past, ports, failed);
  shell.begin(first.value.effects);
  await shell.settled(); // no answer lists a part of the keys while a store of an older version gets its missing records

  let stage: SignerStatus["state"] = "starting";
  const status = (): SignerStatus => statusOf(parts, stage, shell, links);
  const deliver = deliveryTo({ isBusy: () => shell.isBusy, dispatch });
  const serving = await parts.serve({ control, deliver });
  const checking = openCheck(parts, failed);
  links.connected(); // begins to connect
  const ticker = beginTicking(parts, dispatch, failed);
  const confirming = onceConfirmed(
    world,
    () => isStoreConfirmed(shell.state),
    () => {
      stage = "ready";
      serving.setReady(true);
    },
  );

  const stop = (): Promise<void> => {
    stage = "stopping";
    serving.setReady(false);
    confirming.stop();
    ticker.stop();
    control.stop();
    supply.close();
    return closeAll({ serving, checking, compute, shell, links, forgetting, store });
  };
  return ok({ control, deliver, status, stop });
};

interface OpenParts {
  readonly serving: Serving;
  readonly checking: Checking;
  readonly compute: ComputeHost;
  readonly shell: Shell;
  readonly links: PeerLinks;
  readonly forgetting: Forgetting;
  readonly store: SignerStore;
}

/** Every effect of a call that was answered is carried out before the store is closed. */
const closeAll = async (open: OpenParts): Promise<void> => {
  await open.serving.stop();
  await open.checking.close();
  await open.compute.close();
  await open.shell.settled();
  open.links.close();
  await open.forgetting.close();
  await open.store.close();
};

const loggedFailure =
  ({ log, failed }: SignerParts) =>
  (error: unknown): void => {
    logLastWords(log, error);
    failed(error);
  };

/**
 * The first tick asks the peers whether the store is an older copy: until they answer, requests of before wait. The counts that peers said they
 * spent are written with each tick, if no write came since.
 */
const beginTicking = (
  { world, records: { vault } }: SignerParts,
  dispatch: (event: SignerEvent) => void,
  failed: (error: unknown) => void,
): Timer => {
  const tick = (): void => {
    dispatch({ kind: "tick" });
    vault.settle().catch(failed);
  };
  tick();
  return world.every(TICK_MS, tick);
};

const openCheck = (
  { world, log, records: { vault } }: SignerParts,
  failed: (error: unknown) => void,
): Checking =>
  new Checking(
    world,
    () => vault.check(),
    failed,
    (entries) => storeChecked(log, { entries }),
  );

/** The state machine with the records of the store. @returns refusal StoreNewer */
const beginWith = ({
  machine,
  records: { records, past },
  world,
  log,
}: SignerParts): Result<ReturnType<typeof openSigner>> => {
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

const openSupply = (
  { log, searchPrimes }: SignerParts,
  dispatch: (event: SignerEvent) => void,
): PrimeSupply =>
  new PrimeSupply(
    (signal) => searchPrimes(signal, (done, of) => primesFound(log, { done, of })),
    (session, primes) => dispatch({ kind: "primes", session, primes }),
    (err) => primeSearchFailed(log, { err }),
  );

const openCompute = (
  { log, openCompute: open }: SignerParts,
  dispatch: (event: SignerEvent) => void,
  failed: (error: unknown) => void,
): ComputeHost =>
  open({
    computed: (session, result) => dispatch({ kind: "computed", session, result }),
    lost: (sessions, reason) => {
      workerDied(log, { err: reason, sessions: sessions.length });
      dispatch({ kind: "host-lost", sessions });
    },
    failed,
  });

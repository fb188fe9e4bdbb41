import { Worker } from "node:worker_threads";
import type { ComputeResult, ComputeTask, HostConfig, SessionKey } from "@conclave/cluster";
import { decodeResult, encodeHostConfig, encodeTask } from "@conclave/cluster/compute";
import type { Secret } from "@conclave/threshold";
import type { FromWorker, ToWorker, Urgency, WorkerStart } from "./messages.ts";
import { SpreadChecks } from "./spread-checks.ts";

/** Heap of one worker, MiB: several times what a session of five signers takes at 3072 bits. */
const OLD_GENERATION_MB_MAX = 128;
const YOUNG_GENERATION_MB_MAX = 8;
const WORKERS_MAX = 16;
/** Crashes of workers within the window, after which the process has to give up. */
const CRASHES_MAX = 5;
const CRASH_WINDOW_MS = 60_000;

/** The file that a worker runs, and the Node options it needs. */
export interface WorkerEntry {
  readonly url: URL;
  readonly execArgv: readonly string[];
}

const COMPILED: WorkerEntry = { url: new URL("./worker.js", import.meta.url), execArgv: [] };

export interface ComputePoolOptions {
  readonly host: HostConfig;
  /** threads, 1 when absent */
  readonly workers?: number;
  /**
   * once for each task, in order within a session, and once more for each round whose checks were spread over workers, unless
   * the session is dropped or lost before
   */
  readonly computed: (session: SessionKey, result: ComputeResult) => void;
  /** a worker died, and with it these sessions or a check of theirs; another worker has taken its place */
  readonly lost: (sessions: readonly SessionKey[], reason: Error) => void;
  /** workers die again and again: the process cannot do its work */
  readonly failed: (reason: Error) => void;
  readonly entry?: WorkerEntry;
}

/** A session at its worker. */
interface Lodger {
  readonly urgency: Urgency;
  /** of presigning: what another worker needs for its checks */
  readonly auxiliary: Secret<Uint8Array> | undefined;
  /** what it was asked and has not answered */
  unanswered: number;
}

interface Seat {
  worker: Worker;
  /** goes out at the end of the turn in one message: to wake a thread costs more than most tasks carry */
  readonly outbox: ToWorker[];
  readonly sessions: Map<SessionKey, Lodger>;
}

const lodgerOf = (first: ComputeTask): Lodger => ({
  urgency: urgencyOf(first),
  auxiliary: first.kind === "open-presigning" ? first.auxiliary : undefined,
  unanswered: 0,
});

/** A presignature for the pool is made when nobody waits for anything. */
const urgencyOf = (first: ComputeTask): Urgency =>
  first.kind === "open-presigning" && first.purpose === "pool" ? "background" : "live";

/**
 * Runs sessions in worker threads, so that the main thread answers health checks and peers whatever is computed.
 * A session stays with one worker, which alone holds its secrets; what is made for the pool waits for live sessions. Where there
 * are several workers, they share the checks of a session's peers, one job a peer; a lone worker does those of the pool's
 * sessions one by one, so that a live session waits for one of them at most.
 */
export class ComputePool {
  readonly #options: ComputePoolOptions;
  readonly #seats: readonly Seat[];
  readonly #places = new Map<SessionKey, Seat>();
  readonly #checks = new SpreadChecks<Seat>();
  readonly #mode: WorkerStart["checks"];
  #auxiliary: Secret<Uint8Array> | undefined;
  #crashes: readonly number[] = [];
  #isClosed = false;

  constructor(options: ComputePoolOptions) {
    this.#options = options;
    const length = options.workers ?? 1;
    if (!Number.isInteger(length) || length < 1 || length > WORKERS_MAX) {
      throw new RangeError(`a pool has 1 to ${WORKERS_MAX} workers`);
    }
    this.#mode = length > 1 ? "apart" : "apart-for-pool";
    this.#seats = Array.from({ length }, () => this.#open());
  }

  /** Queues a task; never waits. */
  submit(session: SessionKey, task: ComputeTask): void {
    if (this.#isClosed) return;
    const seat = this.#seatOf(session, task);
    const urgency = this.#ask(seat, session);
    this.#post(seat, { kind: "task", session, urgency, task: encodeTask(task) });
  }

  /** Makes the host forget a session; results still under way are not told. */
  drop(session: SessionKey): void {
    const seat = this.#places.get(session);
    if (seat === undefined) return;
    this.#places.delete(session);
    seat.sessions.delete(session);
    for (const holder of new Set([seat, ...this.#checks.drop(session)])) {
      this.#post(holder, { kind: "drop", session });
    }
  }

  /**
   * Lets every worker that has been idle for a while make what presignings under this auxiliary info will need.
   *
   * @param auxiliary auxiliaryInfoCodec
   */
  prepare(auxiliary: Secret<Uint8Array>): void {
    if (this.#isClosed) return;
    this.#auxiliary = auxiliary;
    for (const seat of this.#seats) this.#prepare(seat);
  }

  /** Ends all workers at once, with whatever they compute. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#places.clear();
    await Promise.all(this.#seats.map(({ worker }) => worker.terminate()));
  }

  #prepare(seat: Seat): void {
    if (this.#auxiliary !== undefined) {
      this.#post(seat, { kind: "prepare", auxiliary: this.#auxiliary.reveal() });
    }
  }

  #post(seat: Seat, message: ToWorker): void {
    if (seat.outbox.push(message) > 1) return;
    queueMicrotask(() => seat.worker.postMessage(seat.outbox.splice(0)));
  }

  #seatOf(session: SessionKey, first: ComputeTask): Seat {
    const known = this.#places.get(session);
    if (known !== undefined) return known;
    const seat = this.#seats.reduce((least, other) =>
      other.sessions.size < least.sessions.size ? other : least,
    );
    this.#places.set(session, seat);
    seat.sessions.set(session, lodgerOf(first));
    return seat;
  }

  /** Counts what a session is asked; gives its urgency. */
  #ask(seat: Seat, session: SessionKey): Urgency {
    const lodger = seat.sessions.get(session);
    if (lodger === undefined) return "live";
    lodger.unanswered += 1;
    return lodger.urgency;
  }

  #take(seat: Seat, answer: FromWorker): void {
    const { session } = answer;
    if (answer.kind === "verdict") {
      const home = this.#places.get(session);
      const verdicts = this.#checks.take(session, answer.at, answer.verdict);
      if (home === undefined || verdicts === undefined) return;
      this.#post(home, { kind: "verdicts", session, urgency: this.#ask(home, session), verdicts });
      return;
    }
    const lodger = seat.sessions.get(session);
    if (lodger === undefined) return; // dropped meanwhile
    lodger.unanswered -= 1;
    this.#spread(seat, session, lodger, answer.jobs);
    this.#options.computed(session, decodeResult(answer.result));
  }

  /** Each job goes to the worker for which the fewest wait, the session's own before others: it has nothing else to do for it. */
  #spread(
    home: Seat,
    session: SessionKey,
    { urgency, auxiliary }: Lodger,
    jobs: readonly Uint8Array[],
  ): void {
    for (const [at, job] of jobs.entries()) {
      const seat = this.#seats.reduce(
        (least, other) => (this.#load(other, session) < this.#load(least, session) ? other : least),
        home,
      );
      this.#checks.add(session, seat);
      this.#post(seat, { kind: "check", session, urgency, at, job, auxiliary: auxiliary?.reveal() });
    }
  }

  /** How many sessions wait for a worker: those that wait for verdicts cost it nothing meanwhile, but for their checks. */
  #load(seat: Seat, spreading: SessionKey): number {
    const busy = [...seat.sessions].filter(
      ([session, { unanswered }]) => unanswered > 0 && session !== spreading && !this.#checks.has(session),
    );
    return busy.length + this.#checks.openAt(seat);
  }

  #open(): Seat {
    const seat: Seat = { worker: this.#spawn(), outbox: [], sessions: new Map() };
    this.#listen(seat);
    return seat;
  }

  #spawn(): Worker {
    const { url, execArgv } = this.#options.entry ?? COMPILED;
    const start: WorkerStart = { host: encodeHostConfig(this.#options.host), checks: this.#mode };
    return new Worker(url, {
      workerData: start,
      execArgv: [...execArgv],
      env: {}, // a worker needs no passphrase
      resourceLimits: {
        maxOldGenerationSizeMb: OLD_GENERATION_MB_MAX,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB_MAX,
      },
    });
  }

  #listen(seat: Seat): void {
    const { worker } = seat;
    let reason = new Error("the worker stopped");
    worker.on("message", (answer: FromWorker) => this.#take(seat, answer));
    worker.on("error", (error) => {
      reason = error;
    });
    worker.on("exit", () => this.#replace(seat, reason));
  }

  #replace(seat: Seat, reason: Error): void {
    if (this.#isClosed) return;
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((at) => at > now - CRASH_WINDOW_MS), now];
    const sessions = [...new Set([...seat.sessions.keys(), ...this.#checks.sessionsAt(seat)])];
    for (const session of sessions) this.drop(session);
    seat.outbox.length = 0;
    if (this.#crashes.length > CRASHES_MAX) {
      this.#options.failed(reason);
      return;
    }
    seat.worker = this.#spawn();
    this.#listen(seat);
    this.#prepare(seat);
    this.#options.lost(sessions, reason);
  }
}

import { Worker } from "node:worker_threads";
import type { ComputeResult, ComputeTask, HostConfig, SessionKey } from "@conclave/cluster";
import { decodeResult, encodeHostConfig, encodeTask } from "@conclave/cluster/compute";
import type { Secret } from "@conclave/threshold";
import type { FromWorker, ToWorker, Urgency, WorkerStart } from "./messages.ts";

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
  /** exactly once for each task, in order within a session, unless the session is dropped or lost before */
  readonly computed: (session: SessionKey, result: ComputeResult) => void;
  /** a worker died, and with it these sessions; another worker has taken its place */
  readonly lost: (sessions: readonly SessionKey[], reason: Error) => void;
  /** workers die again and again: the process cannot do its work */
  readonly failed: (reason: Error) => void;
  readonly entry?: WorkerEntry;
}

interface Seat {
  worker: Worker;
  /** goes out at the end of the turn in one message: to wake a thread costs more than most tasks carry */
  readonly outbox: ToWorker[];
  readonly sessions: Map<SessionKey, Urgency>;
}

/** A presignature for the pool is made when nobody waits for anything. */
const urgencyOf = (first: ComputeTask): Urgency =>
  first.kind === "open-presigning" && first.purpose === "pool" ? "background" : "live";

/**
 * Runs sessions in worker threads, so that the main thread answers health checks and peers whatever is computed.
 * A session stays with one worker, which alone holds its secrets; what is made for the pool waits for live sessions.
 */
export class ComputePool {
  readonly #options: ComputePoolOptions;
  readonly #seats: readonly Seat[];
  readonly #places = new Map<SessionKey, Seat>();
  #auxiliary: Secret<Uint8Array> | undefined;
  #crashes: readonly number[] = [];
  #isClosed = false;

  constructor(options: ComputePoolOptions) {
    this.#options = options;
    const length = options.workers ?? 1;
    if (!Number.isInteger(length) || length < 1 || length > WORKERS_MAX) {
      throw new RangeError(`a pool has 1 to ${WORKERS_MAX} workers`);
    }
    this.#seats = Array.from({ length }, () => this.#open());
  }

  /** Queues a task; never waits. */
  submit(session: SessionKey, task: ComputeTask): void {
    if (this.#isClosed) return;
    const seat = this.#seatOf(session, task);
    const urgency = seat.sessions.get(session) ?? "live";
    this.#post(seat, { kind: "task", session, urgency, task: encodeTask(task) });
  }

  /** Makes the host forget a session; results still under way are not told. */
  drop(session: SessionKey): void {
    const seat = this.#places.get(session);
    if (seat === undefined) return;
    this.#places.delete(session);
    seat.sessions.delete(session);
    this.#post(seat, { kind: "drop", session });
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
    seat.sessions.set(session, urgencyOf(first));
    return seat;
  }

  #open(): Seat {
    const seat: Seat = { worker: this.#spawn(), outbox: [], sessions: new Map() };
    this.#listen(seat);
    return seat;
  }

  #spawn(): Worker {
    const { url, execArgv } = this.#options.entry ?? COMPILED;
    const start: WorkerStart = { host: encodeHostConfig(this.#options.host) };
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
    worker.on("message", ({ session, result }: FromWorker) => {
      if (this.#places.get(session) === seat) this.#options.computed(session, decodeResult(result));
    });
    worker.on("error", (error) => {
      reason = error;
    });
    worker.on("exit", () => this.#replace(seat, reason));
  }

  #replace(seat: Seat, reason: Error): void {
    if (this.#isClosed) return;
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((at) => at > now - CRASH_WINDOW_MS), now];
    const sessions = [...seat.sessions.keys()];
    for (const session of sessions) this.#places.delete(session);
    seat.sessions.clear();
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

import { Worker } from "node:worker_threads";
import type { ComputeResult, ComputeTask, HostConfig, SessionKey } from "@conclave/cluster";
import { type Cloneable, forClone, fromClone } from "@conclave/cluster/compute";
import type { Secret } from "@conclave/threshold";
import type {
  FromWorker,
  SentFromWorker,
  SentStart,
  SentToWorker,
  ToWorker,
  Urgency,
  WorkerStart,
} from "./messages.ts";
import { SpreadChecks } from "./spread-checks.ts";

/** Heap limit of one worker, in MiB: several times the need of a session of five signers at 3072 bits. */
const OLD_GENERATION_MB_MAX = 128;
const YOUNG_GENERATION_MB_MAX = 8;
const WORKERS_MAX = 16;
/** This many worker crashes within the window make the pool fail. */
const CRASHES_MAX = 5;
const CRASH_WINDOW_MS = 60_000;

/** The file that a worker runs, and its Node options. */
export interface WorkerEntry {
  readonly url: URL;
  readonly execArgv: readonly string[];
}

const COMPILED: WorkerEntry = { url: new URL("./worker.js", import.meta.url), execArgv: [] };

export interface ComputePoolOptions {
  readonly host: HostConfig;
  /** number of threads, 1 by default */
  readonly workers?: number;
  /**
   * Called once for each task, in order within a session, and once more for each round whose checks were spread over
   * workers. Not called after the session was dropped or lost.
   */
  readonly computed: (session: SessionKey, result: ComputeResult) => void;
  /** Called after a worker died that held these sessions or one of their checks; another worker has replaced it. */
  readonly lost: (sessions: readonly SessionKey[], reason: Error) => void;
  /** Called when workers died again and again: the process cannot do its work. */
  readonly failed: (reason: Error) => void;
  readonly entry?: WorkerEntry;
}

/** A session that a worker holds. */
interface HeldSession {
  readonly urgency: Urgency;
  /** other workers need it for the checks of a presigning session; undefined for other sessions */
  readonly auxiliary: Secret<Uint8Array> | undefined;
  /** number of unanswered tasks */
  unanswered: number;
}

interface WorkerSlot {
  worker: Worker;
  /** sent in one message at the end of the turn, because waking a thread costs more than most tasks */
  readonly outbox: Cloneable<ToWorker>[];
  readonly sessions: Map<SessionKey, HeldSession>;
}

const heldSessionOf = (first: ComputeTask): HeldSession => ({
  urgency: urgencyOf(first),
  auxiliary: first.kind === "open-presigning" ? first.auxiliary : undefined,
  unanswered: 0,
});

/** Presigning for the pool is background work; all else is live. */
const urgencyOf = (first: ComputeTask): Urgency =>
  first.kind === "open-presigning" && first.purpose === "pool" ? "background" : "live";

/**
 * Runs sessions in worker threads, so that the main thread can answer health checks and peers at any time.
 *
 * A session stays with one worker, which alone holds its secrets. Presigning for the pool waits for live sessions. If there are
 * several workers, they share the checks of a session's peers, one check per peer. A single worker does the checks of the
 * pool's sessions one by one, so that a live session waits for at most one of them.
 */
export class ComputePool {
  readonly #options: ComputePoolOptions;
  readonly #slots: readonly WorkerSlot[];
  readonly #places = new Map<SessionKey, WorkerSlot>();
  readonly #checks = new SpreadChecks<WorkerSlot>();
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
    this.#slots = Array.from({ length }, () => this.#open());
  }

  /** Queues a task; never waits. */
  submit(session: SessionKey, task: ComputeTask): void {
    if (this.#isClosed) return;
    const slot = this.#slotOf(session, task);
    const urgency = this.#ask(slot, session);
    this.#post(slot, { kind: "task", session, urgency, task });
  }

  /** Removes a session; results that are still being computed are not reported. */
  drop(session: SessionKey): void {
    const slot = this.#places.get(session);
    if (slot === undefined) return;
    this.#places.delete(session);
    slot.sessions.delete(session);
    for (const holder of new Set([slot, ...this.#checks.drop(session)])) {
      this.#post(holder, { kind: "drop", session });
    }
  }

  /**
   * Lets idle workers precompute what presigning under this auxiliary information will need.
   *
   * @param auxiliary auxiliaryInfoCodec
   */
  prepare(auxiliary: Secret<Uint8Array>): void {
    if (this.#isClosed) return;
    this.#auxiliary = auxiliary;
    for (const slot of this.#slots) this.#prepare(slot);
  }

  /** Terminates all workers at once, with any computation under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#places.clear();
    await Promise.all(this.#slots.map(({ worker }) => worker.terminate()));
  }

  #prepare(slot: WorkerSlot): void {
    if (this.#auxiliary !== undefined) {
      this.#post(slot, { kind: "prepare", auxiliary: this.#auxiliary });
    }
  }

  #post(slot: WorkerSlot, message: ToWorker): void {
    if (slot.outbox.push(forClone(message)) > 1) return; // encoded now: the caller may erase its secrets before the turn ends
    queueMicrotask(() => {
      const messages: SentToWorker = slot.outbox.splice(0);
      slot.worker.postMessage(messages);
    });
  }

  #slotOf(session: SessionKey, first: ComputeTask): WorkerSlot {
    const known = this.#places.get(session);
    if (known !== undefined) return known;
    const slot = this.#slots.reduce((least, other) =>
      other.sessions.size < least.sessions.size ? other : least,
    );
    this.#places.set(session, slot);
    slot.sessions.set(session, heldSessionOf(first));
    return slot;
  }

  /**
   * Counts a task of a session that waits for its answer.
   *
   * @returns the session's urgency
   */
  #ask(slot: WorkerSlot, session: SessionKey): Urgency {
    const held = slot.sessions.get(session);
    if (held === undefined) return "live";
    held.unanswered += 1;
    return held.urgency;
  }

  #take(slot: WorkerSlot, answer: FromWorker): void {
    const { session } = answer;
    if (answer.kind === "verdict") {
      const home = this.#places.get(session);
      const verdicts = this.#checks.take(session, answer.at, answer.verdict);
      if (home === undefined || verdicts === undefined) return;
      this.#post(home, { kind: "verdicts", session, urgency: this.#ask(home, session), verdicts });
      return;
    }
    const held = slot.sessions.get(session);
    if (held === undefined) return; // the session was dropped meanwhile
    held.unanswered -= 1;
    this.#spread(slot, session, held, answer.jobs);
    this.#options.computed(session, answer.result);
  }

  /**
   * Gives each check to the worker with the smallest load; on a tie to the session's own worker, which has no other
   * work for the session meanwhile.
   */
  #spread(
    home: WorkerSlot,
    session: SessionKey,
    { urgency, auxiliary }: HeldSession,
    jobs: readonly Uint8Array[],
  ): void {
    for (const [at, job] of jobs.entries()) {
      const slot = this.#slots.reduce(
        (least, other) => (this.#load(other, session) < this.#load(least, session) ? other : least),
        home,
      );
      this.#checks.add(session, slot);
      this.#post(slot, { kind: "check", session, urgency, at, job, auxiliary });
    }
  }

  /** The load of a worker: sessions with open tasks, and open checks. Sessions that wait for verdicts do not count. */
  #load(slot: WorkerSlot, spreading: SessionKey): number {
    const busy = [...slot.sessions].filter(
      ([session, { unanswered }]) => unanswered > 0 && session !== spreading && !this.#checks.has(session),
    );
    return busy.length + this.#checks.openAt(slot);
  }

  #open(): WorkerSlot {
    const slot: WorkerSlot = { worker: this.#spawn(), outbox: [], sessions: new Map() };
    this.#listen(slot);
    return slot;
  }

  #spawn(): Worker {
    const { url, execArgv } = this.#options.entry ?? COMPILED;
    const start: SentStart = forClone<WorkerStart>({ host: this.#options.host, checks: this.#mode });
    return new Worker(url, {
      workerData: start,
      execArgv: [...execArgv],
      env: {}, // workers do not need the passphrase
      resourceLimits: {
        maxOldGenerationSizeMb: OLD_GENERATION_MB_MAX,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB_MAX,
      },
    });
  }

  #listen(slot: WorkerSlot): void {
    const { worker } = slot;
    let reason = new Error("the worker stopped");
    worker.on("message", (answer: SentFromWorker) => this.#take(slot, fromClone(answer)));
    worker.on("error", (error) => {
      reason = error;
    });
    worker.on("exit", () => this.#replace(slot, reason));
  }

  #replace(slot: WorkerSlot, reason: Error): void {
    if (this.#isClosed) return;
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((at) => at > now - CRASH_WINDOW_MS), now];
    const sessions = [...new Set([...slot.sessions.keys(), ...this.#checks.sessionsAt(slot)])];
    for (const session of sessions) this.drop(session);
    slot.outbox.length = 0;
    if (this.#crashes.length > CRASHES_MAX) {
      this.#options.failed(reason);
      return;
    }
    slot.worker = this.#spawn();
    this.#listen(slot);
    this.#prepare(slot);
    this.#options.lost(sessions, reason);
  }
}

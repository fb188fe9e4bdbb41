import type { World } from "@conclave/custody";
import type { Envelope, PartyIndex, Secret } from "@conclave/threshold";
import type { ComputeTask } from "../compute/task.ts";
import type { SessionReport } from "../control/report.ts";
import type { CallId, SessionKey } from "../control/session-key.ts";
import type { SignerEffect } from "../signer/effect.ts";
import type { SignerEvent } from "../signer/event.ts";
import type { StoreRolledBack } from "../signer/older-store/spending-counts.ts";
import type { RecordEffect, UnwrittenRecords } from "../signer/records/unwritten.ts";
import { stepSigner } from "../signer/signer.ts";
import type { SignerState } from "../signer/state.ts";

/** Limit on effects that wait; above it the signer takes no more envelopes or sessions. */
const EFFECTS_WAITING_MAX = 10_000;

export type RecordStore = Extract<SignerEffect, { readonly kind: "store" }>;
export type RecordBatch = Extract<SignerEffect, { readonly kind: "batch" }>;

/** Undefined when a write is done at once; a promise when it is done later, for which all later effects wait. */
type Written = Promise<void> | undefined;

/** The ports through which the effects of a signer are carried out. Later effects wait for records alone. */
export interface SignerPorts {
  /** durable when done; an exception or rejection stops the process */
  readonly store: (effect: RecordStore) => Written;
  readonly erase: (record: string) => Written;
  /** all of it or nothing; durable when done, if the batch is synced */
  readonly batch: (batch: RecordBatch) => Written;
  /** removes expired records, independently of other effects */
  readonly forget: (untilMs: number) => void;
  readonly send: (to: PartyIndex, envelope: Envelope) => void;
  readonly primes: (session: SessionKey) => void;
  readonly compute: (session: SessionKey, task: ComputeTask) => void;
  readonly prepare: (auxiliary: Secret<Uint8Array>) => void;
  readonly drop: (session: SessionKey) => void;
  readonly alarm: (alarm: StoreRolledBack) => void;
  readonly report: (call: CallId, report: SessionReport) => void;
}

/** A mark in the queue: the state is durable when all effects before it are carried out. */
interface Reached {
  readonly kind: "reached";
  readonly state: SignerState;
}

type Waiting = SignerEffect | Reached;

const isRecordEffect = (effect: SignerEffect): effect is RecordEffect =>
  effect.kind === "store" || effect.kind === "erase" || effect.kind === "batch";

/**
 * Runs the signer's state machine and carries out its effects in order, each after all earlier ones are done. So the
 * records that the state machine stores before it sends are durable before anything is sent (INV-2). With ports that
 * write at once, `dispatch` returns only when all is done, so that a signer in virtual time depends on its seed alone.
 */
export class Shell {
  readonly #world: Pick<World, "nowMs">;
  #state: SignerState;
  #durableState: SignerState;
  readonly #ports: SignerPorts;
  readonly #records: UnwrittenRecords;
  readonly #failed: (error: unknown) => void;
  readonly #waiting: Waiting[] = [];
  #isRunning = false;
  #hasFailed = false;
  #idle: (() => void)[] = [];

  /**
   * @param records by which the state looks up past records; they include those that wait to be written
   * @param failed called when an effect or an invariant failed: nothing more is carried out, and the process must stop
   */
  constructor(
    world: Pick<World, "nowMs">,
    state: SignerState,
    records: UnwrittenRecords,
    ports: SignerPorts,
    failed: (error: unknown) => void,
  ) {
    this.#world = world;
    this.#state = state;
    this.#durableState = state;
    this.#records = records;
    this.#ports = ports;
    this.#failed = failed;
  }

  get state(): SignerState {
    return this.#state;
  }

  /** The state after the last event whose effects are all carried out, for reports outside a session. */
  get durableState(): SignerState {
    return this.#durableState;
  }

  /** Whether so many effects wait that new work should be refused. */
  get isBusy(): boolean {
    return this.#waiting.length > EFFECTS_WAITING_MAX;
  }

  /** Carries out the effects of opening the state machine; before the first event. */
  begin(effects: readonly SignerEffect[]): void {
    this.#queue(effects);
    this.#run();
  }

  /** Steps the state machine at once; its effects follow in order. */
  dispatch(event: SignerEvent): void {
    if (this.#hasFailed) return;
    try {
      const step = stepSigner(this.#state, event, this.#world.nowMs());
      this.#state = step.state;
      this.#queue(step.effects);
      this.#queueReached(step.state);
    } catch (error) {
      this.#stop(error);
      return;
    }
    this.#run();
  }

  #queue(effects: readonly SignerEffect[]): void {
    for (const effect of effects) {
      this.#waiting.push(effect);
      if (isRecordEffect(effect)) this.#records.queued(effect);
    }
  }

  /** A second mark in a row replaces the first, so that ticks do not grow the queue. */
  #queueReached(state: SignerState): void {
    if (this.#waiting.at(-1)?.kind === "reached") this.#waiting.pop();
    this.#waiting.push({ kind: "reached", state });
  }

  /** Resolves when every effect so far is done, or the shell has failed. */
  settled(): Promise<void> {
    if (!this.#isRunning) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Carries out effects until none waits, or until a write is pending. */
  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        if (next.kind === "reached") this.#durableState = next.state;
        else if (!isRecordEffect(next)) this.#act(next);
        else if (this.#hasToWait(next)) return;
      }
    } catch (error) {
      this.#stop(error);
    }
    this.#rest();
  }

  /** Begins a write. Returns whether it is pending; then its end resumes the queue. */
  #hasToWait(effect: RecordEffect): boolean {
    const written = this.#record(effect);
    if (written === undefined) {
      this.#records.written(effect);
      return false;
    }
    void written.then(
      () => {
        this.#records.written(effect);
        this.#isRunning = false;
        this.#run();
      },
      (error: unknown) => {
        this.#stop(error);
        this.#rest();
      },
    );
    return true;
  }

  #rest(): void {
    this.#isRunning = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #record(effect: RecordEffect): Written {
    switch (effect.kind) {
      case "store":
        return this.#ports.store(effect);
      case "erase":
        return this.#ports.erase(effect.record);
      case "batch":
        return this.#ports.batch(effect);
    }
  }

  #act(effect: Exclude<SignerEffect, RecordEffect>): void {
    switch (effect.kind) {
      case "forget":
        this.#ports.forget(effect.untilMs);
        return;
      case "send":
        this.#ports.send(effect.to, effect.envelope);
        return;
      case "primes":
        this.#ports.primes(effect.session);
        return;
      case "compute":
        this.#ports.compute(effect.session, effect.task);
        return;
      case "prepare":
        this.#ports.prepare(effect.auxiliary);
        return;
      case "drop":
        this.#ports.drop(effect.session);
        return;
      case "alarm":
        this.#ports.alarm(effect.alarm);
        return;
      case "report":
        this.#ports.report(effect.call, effect.report);
        return;
    }
  }

  #stop(error: unknown): void {
    this.#hasFailed = true;
    this.#waiting.length = 0;
    this.#failed(error);
  }
}

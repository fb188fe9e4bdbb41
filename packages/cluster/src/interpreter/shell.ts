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

/** Effects that wait to be carried out; above this the signer takes no more envelopes or sessions. */
const EFFECTS_WAITING_MAX = 10_000;

export type RecordStore = Extract<SignerEffect, { readonly kind: "store" }>;
export type RecordBatch = Extract<SignerEffect, { readonly kind: "batch" }>;

/** Nothing when a write is done at once; a promise when it is done later, and everything after it waits. */
type Written = Promise<void> | undefined;

/** The ports through which the effects of a signer are carried out. Only records take time that later effects have to wait for. */
export interface SignerPorts {
  /** durable when it is done; what throws or rejects stops the process */
  readonly store: (effect: RecordStore) => Written;
  readonly erase: (record: string) => Written;
  /** all of it or nothing; durable when it is done, if the batch is synced */
  readonly batch: (batch: RecordBatch) => Written;
  /** removes what is past, beside all else */
  readonly forget: (untilMs: number) => void;
  readonly send: (to: PartyIndex, envelope: Envelope) => void;
  readonly primes: (session: SessionKey) => void;
  readonly compute: (session: SessionKey, task: ComputeTask) => void;
  readonly prepare: (auxiliary: Secret<Uint8Array>) => void;
  readonly drop: (session: SessionKey) => void;
  readonly alarm: (alarm: StoreRolledBack) => void;
  readonly report: (call: CallId, report: SessionReport) => void;
}

/** A state that counts as reached when all effects before it are carried out. */
interface Reached {
  readonly kind: "reached";
  readonly state: SignerState;
}

type Waiting = SignerEffect | Reached;

const isRecordEffect = (effect: SignerEffect): effect is RecordEffect =>
  effect.kind === "store" || effect.kind === "erase" || effect.kind === "batch";

/**
 * The shell around the signer's state machine, the one interpreter of its effects: events in, effects out, each effect carried
 * out after all earlier ones are done, over all events. So the records that the state machine stores before it sends are
 * durable before the sending is visible (INV-2). With ports that write at once it is done when `dispatch` returns, so that a
 * signer in virtual time is one run of its seed.
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
   * @param records where the state looks up past records: it is given those that wait to be written
   * @param failed an effect or an invariant failed: nothing more is done, the process has to stop
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

  /** After the last event of which every effect is carried out: reports without a session describe this state. */
  get durableState(): SignerState {
    return this.#durableState;
  }

  /** Whether so much waits that new work should be refused. */
  get isBusy(): boolean {
    return this.#waiting.length > EFFECTS_WAITING_MAX;
  }

  /** Carries out the effects that the state machine asked for when it was opened; before the first event. */
  begin(effects: readonly SignerEffect[]): void {
    this.#queue(effects);
    this.#run();
  }

  /** Lets the state machine decide at once; its effects follow in order. */
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

  /** One mark is enough where nothing is between two: ticks do not let the queue grow. */
  #queueReached(state: SignerState): void {
    if (this.#waiting.at(-1)?.kind === "reached") this.#waiting.pop();
    this.#waiting.push({ kind: "reached", state });
  }

  /** Resolves when every effect so far is done, or none will be done any more. */
  settled(): Promise<void> {
    if (!this.#isRunning) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Goes on until nothing waits, or until a write is to be waited for. */
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

  /** Begins a write. Whether it is done later: then it goes on by itself. */
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

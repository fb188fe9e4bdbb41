import {
  type CoordinatorEffect,
  type CoordinatorEvent,
  type SessionKey,
  sessionKey,
} from "@conclave/cluster";
import type { Problem, Result, Timer, World } from "@conclave/custody";
import type { Evidence, PartyIndex, ProvenFault, SessionId } from "@conclave/threshold";
import type { KeyAnswer } from "../grpc/index.ts";
import type { Signer } from "./signer.ts";
import type { Signers } from "./signers.ts";

/** A coordinator of the cluster package: a pure state machine. */
export interface Machine<State, Value> {
  readonly open: (live: readonly PartyIndex[], nowMs: number) => MachineStep<State, Value>;
  readonly step: (state: State, event: CoordinatorEvent, nowMs: number) => MachineStep<State, Value>;
}
export interface MachineStep<State, Value> {
  readonly state: State;
  readonly effects: readonly CoordinatorEffect<Value>[];
}

/** The outcome of a coordination. */
export type CoordinationOutcome<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "failed"; readonly problem: Problem }
  /** it was stopped, and closed without a result */
  | { readonly kind: "stopped" };

export interface BlamedSigner {
  readonly reporter: PartyIndex;
  readonly session: SessionKey;
  readonly evidence: Evidence;
  readonly verdict: ProvenFault;
}

export interface Observer {
  /** a signer deviated, with proof; to be recorded (INV-7) */
  readonly fault: (blamed: BlamedSigner) => void;
  /** a signer was asked to begin a session */
  readonly begun?: (signer: PartyIndex, session: SessionKey) => void;
  /** a session's stream broke: the signer died, hangs, or is unreachable */
  readonly lost?: (signer: PartyIndex, session: SessionKey, reason: string) => void;
  /** a signer works in an earlier epoch of a key than others, as they say */
  readonly behind?: (signer: PartyIndex, keyId: string) => void;
  readonly progress?: (signer: PartyIndex, stage: string) => void;
  /** the coordination waits until something changes */
  readonly waiting?: (reason: string, unavailable: readonly PartyIndex[]) => void;
}

export interface Coordination<Value> {
  /** resolves with the result; the coordinator may work on for a while to clean up */
  readonly outcome: Promise<CoordinationOutcome<Value>>;
  /** resolves when the coordinator has closed */
  readonly closed: Promise<void>;
  /** cancels the open sessions */
  readonly stop: () => void;
}

/**
 * Runs a coordinator: turns its effects into calls to signers and timers, and their answers into its events. Events are
 * processed one at a time, in order of arrival.
 */
export const coordinate = <State, Value>(
  world: World,
  machine: Machine<State, Value>,
  signers: Pick<Signers, "get" | "live" | "onChange">,
  observer: Observer,
): Coordination<Value> => new Run(world, machine, signers, observer);

class Run<State, Value> implements Coordination<Value> {
  readonly outcome: Promise<CoordinationOutcome<Value>>;
  readonly closed: Promise<void>;
  readonly #world: World;
  readonly #machine: Machine<State, Value>;
  readonly #signers: Pick<Signers, "get" | "live" | "onChange">;
  readonly #observer: Observer;
  readonly #streams = new Map<string, { cancel: () => void }>();
  readonly #queue: CoordinatorEvent[] = [];
  readonly #forget: () => void;
  #settle: (outcome: CoordinationOutcome<Value>) => void = () => undefined;
  #close: () => void = () => undefined;
  #state: State;
  #wake: Timer | undefined;
  #isBusy = true;
  #isClosed = false;

  constructor(
    world: World,
    machine: Machine<State, Value>,
    signers: Pick<Signers, "get" | "live" | "onChange">,
    observer: Observer,
  ) {
    this.#world = world;
    this.#machine = machine;
    this.#signers = signers;
    this.#observer = observer;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
    this.#forget = signers.onChange(() => this.#take({ kind: "live", signers: signers.live() }));
    const { state, effects } = machine.open(signers.live(), world.nowMs());
    this.#state = state;
    this.#carryOut(effects);
    this.#drain();
  }

  readonly stop = (): void => this.#take({ kind: "stop" });

  #take(event: CoordinatorEvent): void {
    if (this.#isClosed) return;
    this.#queue.push(event);
    if (!this.#isBusy) this.#drain();
  }

  /**
   * Processes the queue. An effect may cause an event at once, for example when a call fails immediately; that event is
   * queued.
   */
  #drain(): void {
    this.#isBusy = true;
    for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) {
      if (this.#isClosed) break;
      const { state, effects } = this.#machine.step(this.#state, event, this.#world.nowMs());
      this.#state = state;
      this.#carryOut(effects);
    }
    this.#isBusy = false;
  }

  #carryOut(effects: readonly CoordinatorEffect<Value>[]): void {
    for (const effect of effects) this.#do(effect);
  }

  #do(effect: CoordinatorEffect<Value>): void {
    switch (effect.kind) {
      case "call":
        this.#call(effect);
        break;
      case "cancel": {
        const name = streamName(effect.signer, effect.session);
        this.#streams.get(name)?.cancel();
        this.#streams.delete(name);
        break;
      }
      case "activate":
        this.#askKeyState(effect.signer, effect.keyId, (signer) => signer.activateKey(effect.keyId));
        break;
      case "discard":
        this.#askKeyState(effect.signer, effect.keyId, (signer) => signer.discardKey(effect.keyId));
        break;
      case "switch":
        this.#askKeyState(effect.signer, effect.keyId, (signer) => signer.switchEpoch(effect.certificate));
        break;
      case "discard-presignatures":
        // a signer that misses this still has the presignatures; they are found later as orphans
        void this.#signers.get(effect.signer)?.discardPresignatures(effect.ids);
        break;
      case "wake":
        this.#wake?.stop();
        this.#wake = this.#world.after(effect.atMs - this.#world.nowMs(), () => this.#take({ kind: "tick" }));
        break;
      case "fault":
        this.#observer.fault(effect);
        break;
      case "behind":
        this.#observer.behind?.(effect.signer, effect.keyId);
        break;
      case "progress":
        this.#observer.progress?.(effect.signer, effect.stage);
        break;
      case "waiting":
        this.#observer.waiting?.(effect.reason, effect.unavailable);
        break;
      case "done":
        this.#settle({ kind: "done", value: effect.result });
        break;
      case "failed":
        this.#settle({ kind: "failed", problem: effect.problem });
        break;
      case "closed":
        this.#end();
        break;
    }
  }

  #call(effect: Extract<CoordinatorEffect<Value>, { kind: "call" }>): void {
    const { signer: index } = effect;
    const session = keyOf(effect.session);
    const name = streamName(index, session);
    const lost = (reason: string): void => {
      this.#streams.delete(name);
      this.#observer.lost?.(index, session, reason);
      this.#take({ kind: "lost", signer: index, session });
    };
    const signer = this.#signers.get(index);
    if (signer === undefined) {
      lost("it is not in the roster");
      return;
    }
    this.#observer.begun?.(index, session);
    const stream = signer.begin(effect.session, effect.command, {
      report: (report) => {
        if (report.kind !== "progress") this.#streams.delete(name);
        this.#take({ kind: "report", signer: index, session, report });
      },
      lost,
    });
    this.#streams.set(name, stream);
  }

  #askKeyState(
    index: PartyIndex,
    keyId: string,
    ask: (signer: Signer) => Promise<Result<KeyAnswer | number>>,
  ): void {
    const signer = this.#signers.get(index);
    const unanswered = (): void => this.#take({ kind: "unanswered", signer: index, keyId });
    if (signer === undefined) {
      unanswered();
      return;
    }
    void ask(signer).then((answer) => {
      if (answer.ok) this.#take(answerOf(index, keyId, answer.value));
      else if (answer.problem.code === "ServiceUnavailable") unanswered();
      else this.#take({ kind: "refused", signer: index, keyId, problem: answer.problem });
    }, unanswered);
  }

  #end(): void {
    this.#isClosed = true;
    this.#wake?.stop();
    this.#forget();
    for (const stream of this.#streams.values()) stream.cancel();
    this.#streams.clear();
    this.#settle({ kind: "stopped" });
    this.#close();
  }
}

/** What a signer says of a key, or the epoch that is active after a certificate was shown. */
const answerOf = (signer: PartyIndex, keyId: string, said: KeyAnswer | number): CoordinatorEvent =>
  typeof said === "number"
    ? { kind: "switched", signer, keyId, epoch: said }
    : { kind: "key-state", signer, keyId, ...said };

const streamName = (signer: PartyIndex, session: SessionKey): string => `${signer}/${session}`;

const keyOf = (session: SessionId): SessionKey => {
  const key = sessionKey(session);
  if (key === undefined) throw new Error("a coordinator's session id has 32 bytes");
  return key;
};

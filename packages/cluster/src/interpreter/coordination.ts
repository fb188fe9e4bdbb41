import type { Problem, Timer, World } from "@conclave/custody";
import type { Evidence, PartyIndex, ProvenFault, SessionId } from "@conclave/threshold";
import type { Lives } from "../control/lives.ts";
import { type SessionKey, sessionKey } from "../control/session-key.ts";
import type { OwnClock } from "../coordinator/clocks.ts";
import type { CoordinatorEffect } from "../coordinator/effect.ts";
import type { CoordinatorEvent } from "../coordinator/event.ts";
import type { Standings } from "../coordinator/standings.ts";
import type { SharedStandings } from "./shared-standings.ts";
import type { AnswerOfKey, KeyQuestion, SignerLink } from "./signer-link.ts";

/** The knowledge with which a coordinator begins. */
export interface KnownSigners {
  readonly live: readonly PartyIndex[];
  readonly health: Standings;
}

/** The part of a coordinator's state that all coordinators of the process share. */
export interface WithStandings {
  readonly health: Standings;
}

/** A coordinator as a pure state machine. */
export interface Machine<State extends WithStandings, Value> {
  readonly open: (known: KnownSigners, nowMs: number) => MachineStep<State, Value>;
  readonly step: (state: State, event: CoordinatorEvent, nowMs: number) => MachineStep<State, Value>;
}
export interface MachineStep<State extends WithStandings, Value> {
  readonly state: State;
  readonly effects: readonly CoordinatorEffect<Value>[];
}

/** The time that coordinators use, whole milliseconds: setting the system clock does not change it. */
const countedMs = ({ monotonicMs }: Pick<World, "monotonicMs">): number => Math.floor(monotonicMs());

/** The clock by which coordinators name deadlines for signers. */
export const ownClockOf = (world: Pick<World, "nowMs" | "monotonicMs">): OwnClock => ({
  unixAheadMs: () => world.nowMs() - countedMs(world),
});

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
  /** a signer refused a deadline: its clock is this many milliseconds ahead of the coordinator's, or behind if negative */
  readonly otherClock?: (signer: PartyIndex, aheadMs: number) => void;
  /** a signer reports an earlier epoch of a key than others */
  readonly behind?: (signer: PartyIndex, keyId: string) => void;
  readonly progress?: (signer: PartyIndex, stage: string) => void;
  /** the coordination waits until something changes */
  readonly waiting?: (reason: string, unavailable: readonly PartyIndex[]) => void;
}

/** The caller of a coordination. */
export interface Awaiter<Value> {
  /** called once; after it the coordinator may still clean up */
  readonly settled: (outcome: CoordinationOutcome<Value>) => void;
  /** the coordinator has closed: no more callbacks follow */
  readonly closed: () => void;
}

export interface RunningCoordinator {
  /** cancels the open sessions */
  readonly stop: () => void;
}

/**
 * Runs a coordinator: carries out its effects as calls to signers and timers, and hands it their answers as events, one
 * at a time, in order of arrival. It uses no promises, so that in virtual time the time alone decides what happens
 * next.
 *
 * @param standings shared standings: every step begins with them, and updates them
 */
export const runCoordinator = <State extends WithStandings, Value>(
  world: Pick<World, "monotonicMs" | "after">,
  standings: SharedStandings,
  machine: Machine<State, Value>,
  link: SignerLink,
  observer: Observer,
  awaiter: Awaiter<Value>,
): RunningCoordinator => new Run(world, standings, machine, link, observer, awaiter);

class Run<State extends WithStandings, Value> implements RunningCoordinator {
  readonly #world: Pick<World, "monotonicMs" | "after">;
  readonly #standings: SharedStandings;
  readonly #machine: Machine<State, Value>;
  readonly #link: SignerLink;
  readonly #observer: Observer;
  readonly #awaiter: Awaiter<Value>;
  readonly #streams = new Map<string, { readonly cancel: () => void }>();
  readonly #queue: CoordinatorEvent[] = [];
  readonly #forget: () => void;
  #state: State;
  #wake: Timer | undefined;
  #isBusy = true;
  #isSettled = false;
  #isClosed = false;

  constructor(
    world: Pick<World, "monotonicMs" | "after">,
    standings: SharedStandings,
    machine: Machine<State, Value>,
    link: SignerLink,
    observer: Observer,
    awaiter: Awaiter<Value>,
  ) {
    this.#world = world;
    this.#standings = standings;
    this.#machine = machine;
    this.#link = link;
    this.#observer = observer;
    this.#awaiter = awaiter;
    this.#forget = link.onChange(() => {
      const apart = link.apart?.();
      this.#take({ kind: "live", signers: link.live(), ...(apart === undefined ? {} : { apart }) });
    });
    const known = { live: link.live(), health: standings.now };
    const { state, effects } = machine.open(known, countedMs(world));
    this.#learn(state);
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
      const before = { ...this.#state, health: this.#standings.now };
      const { state, effects } = this.#machine.step(before, event, countedMs(this.#world));
      this.#learn(state);
      this.#state = state;
      this.#carryOut(effects);
    }
    this.#isBusy = false;
  }

  #learn({ health }: WithStandings): void {
    const before = this.#standings.now;
    this.#standings.learn(health);
    for (const [signer, { clock }] of health) {
      if (clock === undefined || clock === before.get(signer)?.clock) continue;
      this.#observer.otherClock?.(signer, clock.apartMs);
    }
  }

  /** Carries out effects. A coordinator asks all signers of a session in one step, so all of them receive the same lives. */
  #carryOut(effects: readonly CoordinatorEffect<Value>[]): void {
    const lives = this.#link.lives();
    for (const effect of effects) this.#do(effect, lives);
  }

  #do(effect: CoordinatorEffect<Value>, lives: Lives): void {
    switch (effect.kind) {
      case "call":
        this.#call(effect, lives);
        break;
      case "cancel": {
        const name = streamName(effect.signer, effect.session);
        this.#streams.get(name)?.cancel();
        this.#streams.delete(name);
        break;
      }
      case "activate":
      case "discard":
      case "switch":
        this.#link.ask(effect, (answer) => this.#take(eventOfAnswer(effect, answer)));
        break;
      case "discard-presignatures":
        this.#link.discardPresignatures(effect.signer, effect.ids);
        break;
      case "wake":
        this.#wake?.stop();
        this.#wake = this.#world.after(effect.atMs - countedMs(this.#world), () =>
          this.#take({ kind: "tick" }),
        );
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

  #call(
    { signer, session: id, command }: Extract<CoordinatorEffect<Value>, { kind: "call" }>,
    lives: Lives,
  ): void {
    const session = keyOf(id);
    const name = streamName(signer, session);
    let isOver = false;
    this.#observer.begun?.(signer, session);
    const stream = this.#link.begin(signer, { session: id, lives }, command, {
      report: (report) => {
        if (report.kind !== "progress") {
          isOver = true;
          this.#streams.delete(name);
        }
        this.#take({ kind: "report", signer, session, report });
      },
      lost: (reason) => {
        isOver = true;
        this.#streams.delete(name);
        this.#observer.lost?.(signer, session, reason);
        this.#take({ kind: "lost", signer, session });
      },
    });
    if (!isOver) this.#streams.set(name, stream);
  }

  #settle(outcome: CoordinationOutcome<Value>): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#awaiter.settled(outcome);
  }

  #end(): void {
    this.#isClosed = true;
    this.#wake?.stop();
    this.#forget();
    for (const stream of this.#streams.values()) stream.cancel();
    this.#streams.clear();
    this.#settle({ kind: "stopped" });
    this.#awaiter.closed();
  }
}

const eventOfAnswer = ({ signer, keyId }: KeyQuestion, answer: AnswerOfKey): CoordinatorEvent => ({
  ...answer,
  signer,
  keyId,
});

const streamName = (signer: PartyIndex, session: SessionKey): string => `${signer}/${session}`;

const keyOf = (session: SessionId): SessionKey => {
  const key = sessionKey(session);
  if (key === undefined) throw new Error("a coordinator's session id has 32 bytes");
  return key;
};

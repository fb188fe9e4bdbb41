import type { Problem } from "@conclave/custody";
import {
  type Envelope,
  type Evidence,
  type PartyIndex,
  type ProvenFault,
  Secret,
  type SessionId,
} from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import {
  insecureAuxiliaryPrimes,
  insecurePartySecrets,
  seededEntropy,
  testParties,
} from "@conclave/threshold/testing";
import type { ComputeResult } from "../compute/task.ts";
import type { Command } from "../control/command.ts";
import { type Lives, shownLife } from "../control/lives.ts";
import type { SessionReport } from "../control/report.ts";
import { type CallId, type SessionKey, sessionKey } from "../control/session-key.ts";
import type { OwnClock } from "../coordinator/clocks.ts";
import {
  type Awaiter,
  type Machine,
  type Observer,
  ownClockOf,
  runCoordinator,
  type WithStandings,
} from "../interpreter/coordination.ts";
import { SharedStandings } from "../interpreter/shared-standings.ts";
import type { AnswerOfKey, KeyQuestion, SignerLink } from "../interpreter/signer-link.ts";
import type { SignerConfig } from "../signer/config.ts";
import type { SignerEvent } from "../signer/event.ts";
import { TICK_MS_MAX } from "../signer/limits.ts";
import { type Engine, realEngine } from "./engine.ts";
import { configOf, provisionedRecords, type Records, START_MS } from "./fixtures.ts";
import { openLedger } from "./ledger.ts";
import { openVirtualWorld, type VirtualWorld } from "./ports/virtual-world.ts";
import { eventOf, type SignerInput } from "./signer-input.ts";
import { SignerNode, type Surroundings } from "./signer-node.ts";
import { tinyEngine } from "./tiny-engine.ts";

/** An envelope in transit. */
export interface Transit {
  readonly from: PartyIndex;
  readonly to: PartyIndex;
  readonly envelope: Envelope;
  readonly delayMs: number;
}

/** Copies of an envelope that the wire delivers: none when lost, two when doubled, one with another delay when late. */
export type Wire = (transit: Transit) => readonly Transit[];

export interface ClusterOptions {
  readonly seed: string;
  readonly size?: number;
  readonly threshold?: number;
  readonly engine?: "real" | "tiny";
  /** records that each signer has stored; "provisioned" is auxiliary info and one active key */
  readonly records?: "none" | "provisioned" | ReadonlyMap<PartyIndex, Records>;
  /** changes of a signer's configuration */
  readonly configure?: (config: SignerConfig) => SignerConfig;
  /** changes a result between a signer's compute host and its state machine, as failing memory does */
  readonly damage?: (signer: PartyIndex, result: ComputeResult) => ComputeResult;
}

/** The reports and effects of a coordinator so far. */
export interface Outcome<Result> {
  result: Result | undefined;
  problem: Problem | undefined;
  isClosed: boolean;
  readonly waiting: string[];
  /** signers that were reported in an earlier epoch of a key than others */
  readonly behind: { readonly signer: PartyIndex; readonly keyId: string }[];
  readonly faults: {
    readonly reporter: PartyIndex;
    readonly evidence: Evidence;
    readonly verdict: ProvenFault;
  }[];
  /** ends the coordinator's process: its streams end, and it receives nothing more */
  die: () => void;
  readonly calls: {
    readonly signer: PartyIndex;
    readonly session: SessionKey;
    readonly command: Command;
  }[];
  /** sessions that a signer refused to begin */
  readonly refused: Set<SessionKey>;
}

interface Call {
  readonly signer: PartyIndex;
  readonly hear: (report: SessionReport) => void;
  readonly lost: () => void;
}

const LINK_MS_MAX = 8;
/** Time in which each signer has asked its peers whether its store is an older copy, and got their answers. */
export const CONFIRMED_MS: number = 2 * LINK_MS_MAX + 2;

/** A whole cluster in memory, with virtual time, seeded randomness, and network faults that the test chooses. */
export class TestCluster {
  readonly nodes = new Map<PartyIndex, SignerNode>();
  readonly ledger = openLedger();
  readonly world: VirtualWorld;
  wire: Wire = (transit) => [transit];
  /** the report that a lying signer sends instead */
  speak: (signer: PartyIndex, report: SessionReport) => SessionReport = (_, report) => report;
  readonly sent: Envelope[] = [];
  /** how far the coordinators' clock is ahead of the signers', milliseconds */
  coordinatorAheadMs = 0;
  readonly #chance;
  readonly #calls = new Map<CallId, Call>();
  readonly #ended = new Set<CallId>();
  readonly #surroundings: Surroundings;
  readonly #watchers = new Set<() => void>();
  /** the lives that coordinators know, from statuses, which they read now and then, and from refusals */
  readonly #shown = new Map<PartyIndex, Uint8Array>();
  #callNumber = 0;

  constructor(options: ClusterOptions) {
    const { seed, size = 5, threshold = 3, engine = "real", records = "provisioned" } = options;
    const { configure = (config) => config, damage = (_, result) => result } = options;
    this.world = openVirtualWorld(START_MS, `${seed}/world`);
    this.#chance = seededEntropy(`${seed}/network`);
    const lives = new Map<PartyIndex, number>();
    const stored =
      records === "provisioned"
        ? provisionedRecords(size, threshold)
        : records === "none"
          ? new Map()
          : records;
    const makeEngine = ({ self, roster: peers }: SignerConfig): Engine => {
      const life = (lives.get(self) ?? 0) + 1;
      lives.set(self, life);
      if (engine === "tiny") return tinyEngine(self);
      const secrets = new Secret(insecurePartySecrets(self));
      const config = { self, parameters: INSECURE_TEST_PARAMETERS, peers, secrets };
      return realEngine(config, seededEntropy(`${seed}/${self}/${life}`));
    };
    this.#surroundings = {
      world: this.world,
      ledger: this.ledger,
      send: (from: PartyIndex, to: PartyIndex, envelope: Envelope) => this.#send(from, to, envelope),
      report: (call: CallId, report: SessionReport) => this.#report(call, report),
      primes: (signer: PartyIndex) => new Secret(insecureAuxiliaryPrimes(signer)),
      engine: (config: SignerConfig): Engine => {
        const made = makeEngine(config);
        return {
          compute: (session, task) => damage(config.self, made.compute(session, task)),
          drop: (session) => made.drop(session),
        };
      },
      died: (signer: PartyIndex) => this.#died(signer),
    };
    for (const self of testParties(size))
      this.#add(configure(configOf(self, size, threshold)), stored.get(self));
    for (const node of this.nodes.values()) node.start();
    this.#readStatus();
    this.world.after(TICK_MS_MAX, () => this.#tick());
    this.rest(CONFIRMED_MS);
  }

  #add(config: SignerConfig, records: Records = new Map()): void {
    this.nodes.set(config.self, new SignerNode(config, records, this.#surroundings));
  }

  /** Restarts signers with another configuration, one after the other; a new signer begins with an empty store. */
  restartWith(...configs: readonly SignerConfig[]): void {
    for (const config of configs) {
      if (!this.nodes.has(config.self)) this.#add(config);
      const node = this.node(config.self);
      node.kill();
      node.configure(config);
      node.start();
      this.#reportLive();
    }
  }

  /** The clock of the coordinators' machine, for configurations of coordinators. */
  readonly coordinatorClock: OwnClock = ownClockOf({
    nowMs: () => this.world.nowMs() + this.coordinatorAheadMs,
    monotonicMs: () => this.world.monotonicMs(),
  });

  node(signer: number): SignerNode {
    return [...this.nodes.values()].find(({ self }) => self === signer) ?? fail(`no signer ${signer}`);
  }

  get live(): readonly PartyIndex[] {
    return [...this.nodes.values()].filter(({ isAlive }) => isAlive).map(({ self }) => self);
  }

  /** The lives of the signers; for a dead one its last. */
  get lives(): Lives {
    return new Map([...this.nodes.values()].map(({ self, life }) => [self, life]));
  }

  kill(...signers: readonly number[]): void {
    for (const signer of signers) this.node(signer).kill();
  }

  restart(...signers: readonly number[]): void {
    for (const signer of signers) this.node(signer).start();
    this.#reportLive();
  }

  /** Cuts the signers' links to their peers, both ways; their control streams stay open. */
  silence(...signers: readonly number[]): void {
    const before = this.wire;
    this.wire = (transit) =>
      signers.includes(transit.from) || signers.includes(transit.to) ? [] : before(transit);
  }

  /** Runs until the condition holds; throws when it does not hold within the time, so that no test hangs. */
  until(condition: () => boolean, withinMs = 120_000): void {
    const limitMs = this.world.nowMs() + withinMs;
    while (!condition()) {
      if (!this.world.step(limitMs)) fail("the condition does not come to hold");
    }
  }

  /** Lets time pass. */
  rest(forMs: number): void {
    const untilMs = this.world.nowMs() + forMs;
    while (this.world.step(untilMs));
  }

  /** Calls one signer as an orchestrator would, and collects its reports. */
  call(
    signer: number,
    event: (call: CallId) => SignerInput,
  ): { readonly call: CallId; readonly heard: SessionReport[] } {
    const heard: SessionReport[] = [];
    const call = this.#open(
      signer,
      event,
      (report) => heard.push(report),
      () => undefined,
    );
    return { call, heard };
  }

  /**
   * Runs a coordinator against the cluster.
   *
   * @param standings shared with other coordinators, as in a process; by default its own
   */
  drive<State extends WithStandings, Result>(
    machine: Machine<State, Result>,
    standings: SharedStandings = new SharedStandings(),
  ): Outcome<Result> {
    const outcome = newOutcome<Result>();
    const calls = new Set<CallId>();
    let isDead = false;
    /** delivers messages to the coordinator's process while it lives */
    const reach = (hear: () => void): void => {
      if (!isDead) hear();
    };
    const world: Pick<VirtualWorld, "monotonicMs" | "after"> = {
      monotonicMs: this.world.monotonicMs,
      after: (ms, run) => this.world.after(ms, () => reach(run)),
    };
    outcome.die = () => {
      isDead = true;
      outcome.isClosed = true;
      for (const call of calls) this.#hangUp(call);
    };
    const link = this.#linkOf(reach, (signer, session, command, call) => {
      calls.add(call);
      outcome.calls.push({ signer, session: sessionKey(session) ?? fail("no session id"), command });
    });
    const heard: Machine<State, Result> = {
      open: machine.open,
      step: (state, event, nowMs) => {
        if (event.kind === "report" && event.report.kind === "refusal") outcome.refused.add(event.session);
        return machine.step(state, event, nowMs);
      },
    };
    runCoordinator(world, standings, heard, link, observerOf(outcome), awaiterOf(outcome));
    return outcome;
  }

  /** A link as an orchestrator has it, for a test without a coordinator. */
  link(): SignerLink {
    return this.#linkOf(
      (hear) => hear(),
      () => undefined,
    );
  }

  /** The link of a coordinator's process to the signers. */
  #linkOf(
    reach: (hear: () => void) => void,
    begun: (signer: PartyIndex, session: SessionId, command: Command, call: CallId) => void,
  ): SignerLink {
    return {
      begin: (signer, { session, lives }, command, { report, lost }) => {
        if (!this.nodes.has(signer)) {
          lost("it is not in the roster");
          return { cancel: () => undefined };
        }
        const call = this.#open(
          signer,
          (call) => ({ ...command, call, session, lives }),
          (said) => reach(() => report(said)),
          () => reach(() => lost("it died")),
        );
        begun(signer, session, command, call);
        return { cancel: () => this.#hangUp(call) };
      },
      ask: (question, answered) => this.#askKey(question, (answer) => reach(() => answered(answer))),
      discardPresignatures: (signer, ids) => {
        if (this.nodes.has(signer))
          this.call(signer, (call) => ({ kind: "discard-presignatures", call, ids }));
      },
      lives: () => this.#shown,
      live: () => this.live,
      onChange: (changed) => {
        const watch = () => reach(changed);
        this.#watchers.add(watch);
        return () => this.#watchers.delete(watch);
      },
    };
  }

  #hangUp(call: CallId | undefined): void {
    const open = call === undefined ? undefined : this.#calls.get(call);
    if (call === undefined || open === undefined) return;
    this.#calls.delete(call);
    this.node(open.signer).handle({ kind: "call-closed", call });
  }

  #askKey(question: KeyQuestion, answered: (answer: AnswerOfKey) => void): void {
    const { signer, keyId } = question;
    const hear = (report: SessionReport): void => {
      const answer = answerOf(report);
      if (answer !== undefined) answered(answer);
    };
    const event = (call: CallId): SignerEvent => {
      switch (question.kind) {
        case "activate":
          return { kind: "activate-key", call, keyId };
        case "discard":
          return { kind: "discard-key", call, keyId };
        case "switch":
          return { kind: "switch-epoch", call, certificate: question.certificate };
      }
    };
    this.#open(signer, event, hear, () => answered({ kind: "unanswered" }));
  }

  #open(
    signer: number,
    event: (call: CallId) => SignerInput,
    hear: (report: SessionReport) => void,
    lost: () => void,
  ): CallId {
    const node = this.node(signer);
    const call = callId(`call-${++this.#callNumber}`);
    this.#calls.set(call, { signer: node.self, hear, lost });
    this.world.after(this.#linkMs(), () => {
      if (!this.#calls.has(call)) return; // cancelled before it arrived
      if (node.isAlive) node.handle(eventOf(event(call), this.lives));
      else this.#lose(call);
    });
    return call;
  }

  #lose(call: CallId): void {
    const open = this.#calls.get(call);
    this.#calls.delete(call);
    open?.lost();
  }

  #report(call: CallId, report: SessionReport): void {
    const open = this.#calls.get(call);
    if (this.#ended.has(call)) fail(`${call} hears ${report.kind} after its final report`);
    if (report.kind !== "progress") this.#ended.add(call);
    if (open === undefined) return;
    if (report.kind !== "progress") this.#calls.delete(call);
    const life = shownLife(report);
    if (life !== undefined) this.#shown.set(open.signer, life);
    open.hear(this.speak(open.signer, report));
  }

  #died(signer: PartyIndex): void {
    const lost = [...this.#calls].filter(([, call]) => call.signer === signer).map(([id]) => id);
    for (const call of lost) this.world.after(1, () => this.#lose(call));
    this.world.after(2, () => this.#reportLive());
  }

  #reportLive(): void {
    this.#readStatus();
    for (const watch of [...this.#watchers]) watch();
  }

  #linkMs(): number {
    return 1 + ((this.#chance(1)[0] ?? 0) % LINK_MS_MAX);
  }

  #send(from: PartyIndex, to: PartyIndex, envelope: Envelope): void {
    this.sent.push(envelope);
    for (const transit of this.wire({ from, to, envelope, delayMs: this.#linkMs() })) {
      this.world.after(transit.delayMs, () =>
        this.node(transit.to).handle({ kind: "envelope", from: transit.from, envelope: transit.envelope }),
      );
    }
  }

  #readStatus(): void {
    for (const [signer, life] of this.lives) this.#shown.set(signer, life);
  }

  #tick(): void {
    this.#readStatus();
    for (const node of this.nodes.values()) node.handle({ kind: "tick" });
    this.world.after(TICK_MS_MAX, () => this.#tick());
  }
}

const newOutcome = <Result>(): Outcome<Result> => ({
  result: undefined,
  problem: undefined,
  isClosed: false,
  waiting: [],
  behind: [],
  faults: [],
  calls: [],
  refused: new Set(),
  die: () => undefined,
});

/** Records the observations of a coordinator. */
const observerOf = <Result>(outcome: Outcome<Result>): Observer => ({
  fault: ({ reporter, evidence, verdict }) => outcome.faults.push({ reporter, evidence, verdict }),
  behind: (signer, keyId) => outcome.behind.push({ signer, keyId }),
  waiting: (reason) => outcome.waiting.push(reason),
});

const awaiterOf = <Result>(outcome: Outcome<Result>): Awaiter<Result> => ({
  settled: (end) => {
    if (end.kind === "done") outcome.result = end.value;
    if (end.kind === "failed") outcome.problem = end.problem;
  },
  closed: () => {
    outcome.isClosed = true;
  },
});

const answerOf = (report: SessionReport): AnswerOfKey | undefined => {
  switch (report.kind) {
    case "key-state":
      return { kind: "key-state", state: report.state, epoch: report.epoch };
    case "switched": {
      const { epoch, handover, isWaiting } = report;
      return { kind: "switched", epoch, ...(handover && { handover }), ...(isWaiting && { isWaiting }) };
    }
    case "refusal":
      return { kind: "refused", problem: report.problem };
    default: // no other report answers a question about a key
      return undefined;
  }
};

const fail = (why: string): never => {
  throw new Error(why);
};

const callId = (text: string): CallId => {
  const isCallId = (candidate: string): candidate is CallId => candidate.startsWith("call-");
  return isCallId(text) ? text : fail("not a call");
};

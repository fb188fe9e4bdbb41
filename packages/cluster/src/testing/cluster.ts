import type { Problem } from "@conclave/custody";
import { type Envelope, type Evidence, type PartyIndex, type ProvenFault, Secret } from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import {
  insecureAuxiliaryPrimes,
  insecurePartySecrets,
  seededEntropy,
  testParties,
} from "@conclave/threshold/testing";
import type { Command } from "../control/command.ts";
import type { SessionReport } from "../control/report.ts";
import { type CallId, type SessionKey, sessionKey } from "../control/session-key.ts";
import type { CoordinatorEffect } from "../coordinator/effect.ts";
import type { CoordinatorEvent } from "../coordinator/event.ts";
import type { SignerConfig } from "../signer/config.ts";
import type { SignerEvent } from "../signer/event.ts";
import { TICK_MS_MAX } from "../signer/limits.ts";
import { type Engine, realEngine } from "./engine.ts";
import { configOf, provisionedRecords, type Records, START_MS } from "./fixtures.ts";
import { openLedger } from "./ledger.ts";
import { SignerNode } from "./signer-node.ts";
import { tinyEngine } from "./tiny-engine.ts";
import { eventOf, type Told } from "./told.ts";
import { openVirtualWorld, type VirtualWorld } from "./world/virtual-world.ts";

/** An envelope on its way. */
export interface Transit {
  readonly from: PartyIndex;
  readonly to: PartyIndex;
  readonly envelope: Envelope;
  readonly delayMs: number;
}

/** What the wire makes of an envelope: nothing when lost, two when doubled, another delay when late. */
export type Wire = (transit: Transit) => readonly Transit[];

export interface ClusterOptions {
  readonly seed: string;
  readonly size?: number;
  readonly threshold?: number;
  readonly engine?: "real" | "tiny";
  /** what each signer has stored; "provisioned" is auxiliary info and one active key */
  readonly records?: "none" | "provisioned" | ReadonlyMap<PartyIndex, Records>;
  /** what a signer's operator configured otherwise */
  readonly configure?: (config: SignerConfig) => SignerConfig;
}

/** A coordinator as the driver runs it. */
export interface Machine<Result> {
  readonly step: (event: CoordinatorEvent, nowMs: number) => readonly CoordinatorEffect<Result>[];
}

/** What a coordinator has said so far. */
export interface Outcome<Result> {
  result: Result | undefined;
  problem: Problem | undefined;
  isClosed: boolean;
  readonly waiting: string[];
  /** signers that were said to be in an earlier epoch of a key than others */
  readonly behind: { readonly signer: PartyIndex; readonly keyId: string }[];
  readonly faults: {
    readonly reporter: PartyIndex;
    readonly evidence: Evidence;
    readonly verdict: ProvenFault;
  }[];
  /** the coordinator's process dies: its streams end, it says and hears nothing more */
  die: () => void;
  readonly calls: {
    readonly signer: PartyIndex;
    readonly session: SessionKey;
    readonly command: Command;
  }[];
}

interface Call {
  readonly signer: PartyIndex;
  readonly hear: (report: SessionReport) => void;
  readonly lost: () => void;
}

const LINK_MS_MAX = 8;

/** A whole cluster in memory: virtual time, seeded chance, and a network whose faults are the test's own. */
export class TestCluster {
  readonly nodes: ReadonlyMap<PartyIndex, SignerNode>;
  readonly ledger = openLedger();
  readonly world: VirtualWorld;
  wire: Wire = (transit) => [transit];
  /** what a lying signer reports instead */
  speak: (signer: PartyIndex, report: SessionReport) => SessionReport = (_, report) => report;
  readonly sent: Envelope[] = [];
  /** how far the coordinators' clock is ahead of the signers', milliseconds */
  coordinatorAheadMs = 0;
  readonly #chance;
  readonly #calls = new Map<CallId, Call>();
  readonly #ended = new Set<CallId>();
  readonly #watchers = new Set<(live: readonly PartyIndex[]) => void>();
  #callNumber = 0;

  constructor(options: ClusterOptions) {
    const { seed, size = 5, threshold = 3, engine = "real", records = "provisioned" } = options;
    const { configure = (config) => config } = options;
    this.world = openVirtualWorld(START_MS, `${seed}/world`);
    this.#chance = seededEntropy(`${seed}/network`);
    const lives = new Map<PartyIndex, number>();
    const stored =
      records === "provisioned"
        ? provisionedRecords(size, threshold)
        : records === "none"
          ? new Map()
          : records;
    const peers = configOf(testParties(1)[0] ?? fail("no party"), size, threshold).roster;
    const makeEngine = (self: PartyIndex): Engine => {
      const life = (lives.get(self) ?? 0) + 1;
      lives.set(self, life);
      if (engine === "tiny") return tinyEngine(self);
      const secrets = new Secret(insecurePartySecrets(self));
      const config = { self, parameters: INSECURE_TEST_PARAMETERS, peers, secrets };
      return realEngine(config, seededEntropy(`${seed}/${self}/${life}`));
    };
    const surroundings = {
      world: this.world,
      ledger: this.ledger,
      send: (from: PartyIndex, to: PartyIndex, envelope: Envelope) => this.#send(from, to, envelope),
      report: (call: CallId, report: SessionReport) => this.#report(call, report),
      primes: (signer: PartyIndex) => new Secret(insecureAuxiliaryPrimes(signer)),
      engine: makeEngine,
      died: (signer: PartyIndex) => this.#died(signer),
    };
    this.nodes = new Map(
      testParties(size).map((self) => [
        self,
        new SignerNode(
          configure(configOf(self, size, threshold)),
          stored.get(self) ?? new Map(),
          surroundings,
        ),
      ]),
    );
    for (const node of this.nodes.values()) node.start();
    this.#tick();
  }

  /** The time on the coordinators' clock. */
  coordinatorNow(): number {
    return this.world.nowMs() + this.coordinatorAheadMs;
  }

  node(signer: number): SignerNode {
    return [...this.nodes.values()].find(({ self }) => self === signer) ?? fail(`no signer ${signer}`);
  }

  get live(): readonly PartyIndex[] {
    return [...this.nodes.values()].filter(({ isAlive }) => isAlive).map(({ self }) => self);
  }

  kill(...signers: readonly number[]): void {
    for (const signer of signers) this.node(signer).kill();
  }

  restart(...signers: readonly number[]): void {
    for (const signer of signers) this.node(signer).start();
    this.#tellLive();
  }

  /** Cuts the signers' links to their peers, both ways; their control streams stay open. */
  silence(...signers: readonly number[]): void {
    const before = this.wire;
    this.wire = (transit) =>
      signers.includes(transit.from) || signers.includes(transit.to) ? [] : before(transit);
  }

  /** Runs until the condition holds; throws when it does not within the time, so that no test waits in vain. */
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

  /** Calls one signer as an orchestrator would, and collects what it says. */
  call(
    signer: number,
    event: (call: CallId) => Told,
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

  /** Runs a coordinator against the cluster. */
  drive<Result>(open: () => { machine: Machine<Result>; effects: readonly CoordinatorEffect<Result>[] }) {
    const outcome = newOutcome<Result>();
    const streams = new Map<string, CallId>();
    const { machine, effects } = open();
    const tell = (event: CoordinatorEvent): void => {
      if (!outcome.isClosed) carryOut(machine.step(event, this.coordinatorNow()));
    };
    const watch = (signers: readonly PartyIndex[]): void => tell({ kind: "live", signers });
    const carryOut = (list: readonly CoordinatorEffect<Result>[]): void => {
      for (const effect of list) perform(effect);
    };
    const perform = (effect: CoordinatorEffect<Result>): void => {
      noteOn(outcome, effect);
      switch (effect.kind) {
        case "call": {
          const { signer, command } = effect;
          const session = sessionKey(effect.session) ?? fail("no session id");
          outcome.calls.push({ signer, session, command });
          const call = this.#open(
            signer,
            (call) => ({ ...command, call, session: effect.session }),
            (report) => tell({ kind: "report", signer, session, report }),
            () => tell({ kind: "lost", signer, session }),
          );
          streams.set(`${signer}/${session}`, call);
          return;
        }
        case "cancel":
          this.#hangUp(streams.get(`${effect.signer}/${effect.session}`));
          return;
        case "activate":
        case "discard":
        case "switch":
          this.#askKey(effect, tell);
          return;
        case "discard-presignatures":
          this.#discardPresignatures(effect);
          return;
        case "wake":
          this.world.after(Math.max(0, effect.atMs - this.coordinatorNow()), () => tell({ kind: "tick" }));
          return;
        case "closed":
          this.#watchers.delete(watch);
          return;
        default: // what a coordinator says is noted, and asks for nothing
      }
    };
    outcome.die = () => {
      outcome.isClosed = true;
      this.#watchers.delete(watch);
      for (const call of streams.values()) this.#hangUp(call);
    };
    this.#watchers.add(watch);
    carryOut(effects);
    return outcome;
  }

  #discardPresignatures({
    signer,
    ids,
  }: {
    readonly signer: PartyIndex;
    readonly ids: readonly string[];
  }): void {
    const event = (call: CallId): SignerEvent => ({ kind: "discard-presignatures", call, ids });
    this.#open(
      signer,
      event,
      () => undefined,
      () => undefined,
    );
  }

  #hangUp(call: CallId | undefined): void {
    const open = call === undefined ? undefined : this.#calls.get(call);
    if (call === undefined || open === undefined) return;
    this.#calls.delete(call);
    this.node(open.signer).tell({ kind: "call-closed", call });
  }

  #askKey(
    question: Extract<CoordinatorEffect<unknown>, { readonly kind: "activate" | "discard" | "switch" }>,
    tell: (event: CoordinatorEvent) => void,
  ): void {
    const { signer, keyId } = question;
    const hear = (report: SessionReport): void => {
      if (report.kind === "key-state") tell({ ...report, signer });
      if (report.kind === "switched") tell({ kind: "switched", signer, keyId, epoch: report.epoch });
      if (report.kind === "refusal") tell({ kind: "refused", signer, keyId, problem: report.problem });
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
    this.#open(signer, event, hear, () => tell({ kind: "unanswered", signer, keyId }));
  }

  #open(
    signer: number,
    event: (call: CallId) => Told,
    hear: (report: SessionReport) => void,
    lost: () => void,
  ): CallId {
    const node = this.node(signer);
    const call = callId(`call-${++this.#callNumber}`);
    this.#calls.set(call, { signer: node.self, hear, lost });
    this.world.after(this.#linkMs(), () => {
      if (!this.#calls.has(call)) return; // cancelled before it arrived
      if (node.isAlive) node.tell(eventOf(event(call)));
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
    open.hear(this.speak(open.signer, report));
  }

  #died(signer: PartyIndex): void {
    const lost = [...this.#calls].filter(([, call]) => call.signer === signer).map(([id]) => id);
    for (const call of lost) this.world.after(1, () => this.#lose(call));
    this.world.after(2, () => this.#tellLive());
  }

  #tellLive(): void {
    for (const watch of [...this.#watchers]) watch(this.live);
  }

  #linkMs(): number {
    return 1 + ((this.#chance(1)[0] ?? 0) % LINK_MS_MAX);
  }

  #send(from: PartyIndex, to: PartyIndex, envelope: Envelope): void {
    this.sent.push(envelope);
    for (const transit of this.wire({ from, to, envelope, delayMs: this.#linkMs() })) {
      this.world.after(transit.delayMs, () =>
        this.node(transit.to).tell({ kind: "envelope", from: transit.from, envelope: transit.envelope }),
      );
    }
  }

  #tick(): void {
    for (const node of this.nodes.values()) node.tell({ kind: "tick" });
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
  die: () => undefined,
});

/** Keeps what a coordinator says. */
const noteOn = <Result>(outcome: Outcome<Result>, effect: CoordinatorEffect<Result>): void => {
  switch (effect.kind) {
    case "fault": {
      const { reporter, evidence, verdict } = effect;
      outcome.faults.push({ reporter, evidence, verdict });
      return;
    }
    case "behind": {
      const { signer, keyId } = effect;
      outcome.behind.push({ signer, keyId });
      return;
    }
    case "waiting":
      outcome.waiting.push(effect.reason);
      return;
    case "done":
      outcome.result = effect.result;
      return;
    case "failed":
      outcome.problem = effect.problem;
      return;
    case "closed":
      outcome.isClosed = true;
      return;
    default: // the rest is to be carried out
  }
};

const fail = (why: string): never => {
  throw new Error(why);
};

const callId = (text: string): CallId => {
  const isCallId = (candidate: string): candidate is CallId => candidate.startsWith("call-");
  return isCallId(text) ? text : fail("not a call");
};

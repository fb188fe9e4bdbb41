import type { Entropy } from "../../entropy.ts";
import type { PartyIndex } from "../../fault.ts";
import type { SessionConfig } from "../../session/config.ts";
import type { Envelope } from "../../session/envelope.ts";
import type { IgnoreReason } from "../../session/outcome.ts";
import type { Expectation, Start } from "../../session/round.ts";
import { deliver, openSession, type Progress, type Session } from "../../session/session.ts";
import { seededEntropy } from "../seeded-entropy.ts";
import type { Transit } from "../session-network.ts";

/** All sessions of one run and the messages in transit. Immutable: a run can continue from one world in many ways. */
export interface World<Output> {
  readonly sessions: ReadonlyMap<PartyIndex, Session<Output>>;
  /** in the order sent */
  readonly transits: readonly Transit[];
  /** the envelopes that were delivered in place of the sent ones */
  readonly delivered: readonly Envelope[];
  /** all envelopes that sessions have sent */
  readonly said: readonly Envelope[];
}

/** Changes an envelope in transit: returns the transits to deliver in its place. */
export type Wire = (transit: Transit) => readonly Transit[];

/** One round of a run: before any message arrived, and when only the cheat's are missing. */
export interface Stage<Output> {
  readonly round: number;
  readonly expects: Expectation;
  /** all parties have entered the round; all its messages except echoes are in transit */
  readonly opened: World<Output>;
  /** all parties have the messages of the honest ones; only those of the cheat are in transit, its echo included */
  readonly waiting: World<Output>;
}

/** An honest run, with its state in every round. */
export interface Rehearsal<Output> {
  readonly stages: readonly Stage<Output>[];
  /** the state at the end of the run */
  readonly end: World<Output>;
}

interface RunConfig<Output> {
  readonly configs: ReadonlyMap<PartyIndex, SessionConfig>;
  readonly start: (config: SessionConfig) => Start<Output>;
  readonly cheat: PartyIndex;
  /** the round in which the cheat's own start lies */
  readonly lyingRound?: number | undefined;
  /** the round to stop in, before any of the cheat's messages arrive; absent: the run continues to its end */
  readonly upTo?: number | undefined;
}

const EVENTS_MAX = 10_000;

/** Depends on party and round alone, so that every continuation of a world is deterministic. */
const entropyOf = (session: SessionConfig, round: number): Entropy =>
  seededEntropy(`rehearsal/${session.session.join()}/${session.self}/${round}`);

const roundOf = ({ waiting }: Session<unknown>): number => waiting?.round.number ?? 0;

const spread = <Output>(
  world: World<Output>,
  self: PartyIndex,
  { session, send }: Progress<Output>,
): World<Output> => {
  const receivers = ({ to }: Envelope): readonly PartyIndex[] =>
    [...world.sessions.keys()].filter((party) => (to === 0 ? party !== self : party === to));
  const sent = send.flatMap((envelope) => receivers(envelope).map((to) => ({ to, envelope })));
  return {
    ...world,
    sessions: new Map(world.sessions).set(self, session),
    transits: [...world.transits, ...sent],
    said: [...world.said, ...send],
  };
};

interface Arrival<Output> {
  readonly world: World<Output>;
  readonly ignored: IgnoreReason | undefined;
}

/** The world after the delivery of one envelope; the envelope stays in transit. */
export const arrive = <Output>(world: World<Output>, { to, envelope }: Transit): Arrival<Output> => {
  const session = world.sessions.get(to);
  if (session === undefined) throw new RangeError(`no session of party ${to}`);
  const progress = deliver(session, envelope, entropyOf(session.config, roundOf(session)));
  return { world: spread(world, to, progress), ignored: progress.ignored };
};

/** Delivers the envelopes in transit that `pick` chooses, until it chooses none. */
export const settle = <Output>(
  start: World<Output>,
  pick: (world: World<Output>) => Transit | undefined,
  wire: Wire = (transit) => [transit],
): World<Output> => {
  let world = start;
  for (let events = 0; events < EVENTS_MAX; events++) {
    const next = pick(world);
    if (next === undefined) return world;
    const arriving = wire(next);
    const delivered = arriving
      .map(({ envelope }) => envelope)
      .filter((envelope) => envelope !== next.envelope);
    world = {
      ...world,
      transits: world.transits.filter((transit) => transit !== next),
      delivered: [...world.delivered, ...delivered],
    };
    for (const transit of arriving) world = arrive(world, transit).world;
  }
  throw new Error("the sessions do not come to rest");
};

const openAll = <Output>({ configs, start }: RunConfig<Output>): World<Output> => {
  const opened = new Map<PartyIndex, Progress<Output>>();
  for (const [self, config] of configs) {
    opened.set(self, openSession(config, start(config), entropyOf(config, 0)));
  }
  const sessions = new Map([...opened].map(([self, { session }]) => [self, session]));
  let world: World<Output> = { sessions, transits: [], delivered: [], said: [] };
  for (const [self, progress] of opened) world = spread(world, self, progress);
  return world;
};

/** The lowest round of any session in this world, with its expectations. */
const currentRound = ({ sessions }: World<unknown>) => {
  const rounds = [...sessions.values()].flatMap(({ waiting }) => waiting?.round ?? []);
  return rounds.sort((a, b) => a.number - b.number)[0];
};

/** Runs a protocol round by round, and records the world in each. */
export const rehearse = <Output>(config: RunConfig<Output>): Rehearsal<Output> => {
  const { cheat, lyingRound, upTo } = config;
  const stages: Stage<Output>[] = [];
  let world = openAll(config);
  for (let round = currentRound(world); round !== undefined; round = currentRound(world)) {
    const { number, expects } = round;
    if (stages.some((stage) => stage.round === number)) break; // all parties that can continue have done so
    const own = world.transits.filter(({ envelope }) => envelope.from === cheat);
    const delivered = number === lyingRound ? own.map(({ envelope }) => envelope) : world.delivered;
    const opened: World<Output> = { ...world, delivered };
    const ofRound = ({ transits }: World<Output>): readonly Transit[] =>
      transits.filter(({ envelope }) => envelope.round <= number);
    const isHonest = ({ envelope }: Transit): boolean => envelope.from !== cheat;
    const waiting = settle(opened, (now) => ofRound(now).find(isHonest));
    stages.push({ round: number, expects, opened, waiting });
    if (number === upTo) break;
    world = settle(waiting, (now) => ofRound(now)[0]);
  }
  return { stages, end: world };
};

import type { PartyIndex } from "../../fault.ts";
import { ENVELOPE_KIND } from "../../session/envelope.ts";
import type { Session } from "../../session/session.ts";
import type { Transit } from "../session-network.ts";
import { isLieAbout, type Lie } from "./lie.ts";
import { type Stage, settle, type Wire, type World } from "./rehearsal.ts";

/** The lies of a cheat, and how long the run continues afterwards. */
export interface Attack<Output> {
  readonly stage: Stage<Output>;
  readonly cheat: PartyIndex;
  /** the first lie is in the stage's round, others in later rounds */
  readonly lies: readonly Lie[];
  /** the parties that can detect the lies; they receive their messages first */
  readonly heard: readonly PartyIndex[];
  readonly until: Until;
}

/**
 * When to stop: when the first honest party has ended its session, when all parties that received the lies
 * have, or when nothing is in transit.
 */
type Until = "first" | "heard" | "rest";

const hasEnded = (world: World<unknown>, party: PartyIndex): boolean =>
  world.sessions.get(party)?.waiting === undefined;

/** Records a lie to all parties as the cheat's own broadcast: otherwise the cheat would reject their echoes. */
const believe = <Output>(session: Session<Output>, lies: readonly Lie[]): Session<Output> => {
  const { waiting, config } = session;
  if (waiting?.ownBroadcast === undefined) return session;
  const honest = waiting.ownBroadcast;
  const lie = lies.find(({ round, kind, to }) => {
    const isOwn = round === honest.round && kind === ENVELOPE_KIND.broadcast;
    return isOwn && to === "all";
  });
  const [ownBroadcast] = lie?.forge(honest, config.self) ?? [];
  return ownBroadcast === undefined ? session : { ...session, waiting: { ...waiting, ownBroadcast } };
};

/**
 * Sends lies at the point where a stage waits only for the cheat, and continues the run. The parties that
 * received them get messages first and the cheat last, which avoids work that does not affect the outcome.
 */
export const attack = <Output>({ stage, cheat, lies, heard, until }: Attack<Output>): World<Output> => {
  const { sessions } = stage.waiting;
  const honest = [...sessions.keys()].filter((party) => party !== cheat);
  const own = sessions.get(cheat);
  const start: World<Output> = {
    ...stage.waiting,
    sessions: own === undefined ? sessions : new Map(sessions).set(cheat, believe(own, lies)),
  };
  const lying: Wire = (transit) => {
    const lie = transit.envelope.from === cheat && lies.find((one) => isLieAbout(one, transit));
    if (!lie) return [transit];
    return lie.forge(transit.envelope, transit.to).map((envelope) => ({ to: transit.to, envelope }));
  };
  const isOver = (world: World<Output>): boolean => {
    const ended = (party: PartyIndex): boolean => hasEnded(world, party);
    if (until === "first") return honest.some(ended);
    return until === "heard" && heard.every(ended);
  };
  const nextTo = ({ transits }: World<Output>, receivers: readonly PartyIndex[]): Transit | undefined =>
    transits.find(({ to }) => receivers.includes(to));
  const pick = (world: World<Output>): Transit | undefined =>
    isOver(world) ? undefined : (nextTo(world, heard) ?? nextTo(world, honest) ?? nextTo(world, [cheat]));
  return settle(start, pick, lying);
};

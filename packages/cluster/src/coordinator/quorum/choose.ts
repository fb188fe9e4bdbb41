import type { Entropy, PartyIndex } from "@conclave/threshold";
import type { RosterMember } from "../../control/roster-member.ts";
import { clockNote } from "../clocks.ts";
import { slownessOf } from "../latency.ts";
import { SUSPICION_MS } from "../limits.ts";
import { isApart, pairsApart } from "../pairs.ts";
import { isAvoided, type Standings, standingOf } from "../standings.ts";
import { quorumWithoutPairs } from "./without-pairs.ts";

export type Members = ReadonlyMap<PartyIndex, RosterMember>;

export interface Candidates {
  readonly roster: Members;
  readonly live: ReadonlySet<PartyIndex>;
  readonly health: Standings;
  /** signers that refused this request */
  readonly refused: ReadonlySet<PartyIndex>;
}

/** The signers that may be asked now. */
export const available = (
  { roster, live, health, refused }: Candidates,
  nowMs: number,
): readonly PartyIndex[] =>
  [...roster.keys()].filter(
    (signer) =>
      live.has(signer) && !refused.has(signer) && standingOf(health, signer).excludedUntilMs <= nowMs,
  );

/** The time of a signer's last failure; 0 when that is too long ago to count. */
export const suspectedAtMs = (health: Standings, signer: PartyIndex, nowMs: number): number => {
  const { lastFailedAtMs } = standingOf(health, signer);
  return nowMs - lastFailedAtMs > SUSPICION_MS ? 0 : lastFailedAtMs;
};

/**
 * Chooses `threshold` of the available signers, ascending; without a pair that is kept apart, if possible. The order of
 * preference: signers without lapses of their own; signers that never failed or failed longest ago; signers in the
 * fewest pairs that are kept apart; faster signers. Random among equals, so that the work spreads. Undefined when too
 * few are available.
 */
export const chooseQuorum = (
  candidates: Candidates,
  threshold: number,
  entropy: Entropy,
  nowMs: number,
): readonly PartyIndex[] | undefined => {
  const { health } = candidates;
  const signers = available(candidates, nowMs);
  if (signers.length < threshold) return undefined;
  const lots = entropy(signers.length);
  const pairs = pairsApart(health, signers, nowMs);
  const preferred = signers
    .map((signer, at) => ({
      signer,
      avoided: isAvoided(health, signer, nowMs) ? 1 : 0,
      failedAtMs: suspectedAtMs(health, signer, nowMs),
      apart: pairs.filter((pair) => pair.includes(signer)).length,
      slow: slownessOf(health, [signer], nowMs),
      lot: lots[at] ?? 0,
    }))
    .sort(
      (a, b) =>
        a.avoided - b.avoided ||
        a.failedAtMs - b.failedAtMs ||
        a.apart - b.apart ||
        a.slow - b.slow ||
        a.lot - b.lot,
    )
    .map(({ signer }) => signer);
  return quorumWithoutPairs(preferred, threshold, pairs).toSorted((a, b) => a - b);
};

/** Whether other sets of signers are preferred now: one of these lapsed, or two of them are kept apart. */
export const isUnpreferred = (health: Standings, signers: readonly PartyIndex[], nowMs: number): boolean =>
  signers.some((signer) => isAvoided(health, signer, nowMs)) ||
  signers.some((a) => signers.some((b) => a < b && isApart(health, [a, b], nowMs)));

/** The end of the next cool-down of a live signer; undefined when no live signer cools down. */
export const nextReturn = ({ live, health, refused }: Candidates, nowMs: number): number | undefined => {
  const times = [...live]
    .filter((signer) => !refused.has(signer))
    .map((signer) => standingOf(health, signer).excludedUntilMs)
    .filter((untilMs) => untilMs > nowMs);
  return times.length === 0 ? undefined : Math.min(...times);
};

export const idsOf = (roster: Members, signers: readonly PartyIndex[]): readonly string[] =>
  signers.map((signer) => roster.get(signer)?.id ?? `signer-${signer}`);

export const absentFrom = (roster: Members, live: ReadonlySet<PartyIndex>): readonly PartyIndex[] =>
  [...roster.keys()].filter((signer) => !live.has(signer)).sort((a, b) => a - b);

const clause = (
  roster: Members,
  signers: readonly PartyIndex[],
  one: string,
  many: string,
): readonly string[] =>
  signers.length === 0 ? [] : [`${idsOf(roster, signers).join(", ")} ${signers.length === 1 ? one : many}`];

/** The live signers whose clocks differ from the coordinator's: "the clock of signer-1 is 61 s behind". */
const otherClocks = ({ roster, live, health }: Candidates, nowMs: number): readonly string[] =>
  [...roster].flatMap(([signer, { id }]) => {
    const note = live.has(signer) ? clockNote(health, signer, nowMs) : undefined;
    return note === undefined ? [] : [`the clock of ${id} is ${note}`];
  });

/**
 * The reason for operators why there is no quorum: "waiting for signers: 2 of the 3 needed are live; signer-3 does not
 * answer".
 */
export const whyNoQuorum = (candidates: Candidates, threshold: number, nowMs: number): string => {
  const { roster, live, health, refused } = candidates;
  const usable = available(candidates, nowMs);
  const resting = [...roster.keys()].filter(
    (signer) => live.has(signer) && !refused.has(signer) && !usable.includes(signer),
  );
  const isBlamed = (signer: PartyIndex): boolean => standingOf(health, signer).isBlamed;
  const verb = usable.length === 1 ? "is" : "are";
  const first = `waiting for signers: ${usable.length} of the ${threshold} needed ${verb} live`;
  return [
    first,
    ...clause(roster, absentFrom(roster, live), "does not answer", "do not answer"),
    ...clause(
      roster,
      resting.filter((signer) => !isBlamed(signer)),
      "failed just now",
      "failed just now",
    ),
    ...clause(roster, resting.filter(isBlamed), "was caught cheating", "were caught cheating"),
    ...clause(roster, [...refused], "refused", "refused"),
    ...otherClocks(candidates, nowMs),
  ].join("; ");
};

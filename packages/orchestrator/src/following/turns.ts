import type { ChainRequestId, OrganisationId } from "@conclave/custody";
import type { FollowedRequest } from "@conclave/platform";

/**
 * Why a request is looked at: blocks tell that it has landed, or that what settled it is undone; or no block tells of it while it is open
 * (unseen), or once it is settled (unknown).
 */
export type LookCause = "landed" | "undone" | "unseen" | "unknown";

/** So many open requests, and as many settled ones, of which no block tells are looked at in a round, however many there are. */
export const LOOKS_A_ROUND = 16;
/** The most requests named by blocks in one round, and the most of one organisation under way or in line; the others wait for the next round. */
const SEEN_A_ROUND = 256;
const SEEN_OF_ONE = 128;

/** The pause between two checks of a request that no block names: while it is open, and once it is settled. */
export const OPEN_AGAIN_MS = 1_000;
export const SETTLED_AGAIN_MS = 10_000;
/** The same for a request that blocks name, after a check that changed nothing: the pause doubles each time, up to the longest one. */
const SEEN_AGAIN_MS = 1_000;
const SEEN_AGAIN_MS_MOST = 30_000;

/**
 * A request that was never looked at counts as looked at so long ago: those that have waited longer come first. Otherwise many new ones,
 * round after round, would keep all others from their turns.
 */
const NEVER_MS = 10_000;

/** A look that has ended. */
export interface EndedLook {
  readonly id: ChainRequestId;
  readonly cause: LookCause;
  /** milliseconds of any clock */
  readonly endedMs: number;
}

/** The last check of a request. After a check that changed nothing another one follows for the same cause. */
export interface LastLook {
  readonly endedMs: number;
  /** undefined before the first look */
  readonly cause: LookCause | undefined;
  /** how many looks in a row had that cause, this one included */
  readonly inARow: number;
}

/** The last look at each of those that are followed. */
export type Looks = ReadonlyMap<string, LastLook>;

/** A look that may begin. */
export interface DueLook {
  readonly id: ChainRequestId;
  readonly orgId: OrganisationId;
  readonly cause: LookCause;
  /** whether it goes before others of its organisation: blocks tell of news, and nobody has looked yet */
  readonly isFirst: boolean;
}

export interface Turns {
  readonly looks: Looks;
  /** those that are being looked at, or are in line for it */
  readonly inHand: ReadonlySet<string>;
  readonly nowMs: number;
}

/** The most checks for one cause. */
interface Portion {
  readonly aRound: number;
  /** under way or in line, of one organisation */
  readonly ofOne: number;
}

const SEEN: Portion = { aRound: SEEN_A_ROUND, ofOne: SEEN_OF_ONE };
const UNSEEN: Portion = { aRound: LOOKS_A_ROUND, ofOne: LOOKS_A_ROUND };
const PORTIONS: Readonly<Record<LookCause, Portion>> = {
  landed: SEEN,
  undone: SEEN,
  unseen: UNSEEN,
  unknown: UNSEEN,
};

/**
 * Chooses the requests whose turn it is: organisations come one after the other, as many times as there is room, the one that was served
 * longest ago first. Of one organisation come first those that were looked at longest ago, in the order in which they are given.
 * @param requests all that are to be looked at for the cause, those in hand too
 */
export const whoseTurn = (
  requests: readonly FollowedRequest[],
  cause: LookCause,
  turns: Turns,
): readonly DueLook[] => {
  const { inHand, nowMs } = turns;
  const { aRound, ofOne } = PORTIONS[cause];
  const served = new Map<OrganisationId, number>();
  const given = new Map<OrganisationId, number>();
  const raise = (orgId: OrganisationId): number => {
    const count = (given.get(orgId) ?? 0) + 1;
    given.set(orgId, count);
    return count;
  };
  for (const { id, orgId } of requests) {
    const isInHand = inHand.has(id);
    const last = isInHand ? nowMs : lastOf(turns, id);
    served.set(orgId, Math.max(last, served.get(orgId) ?? last));
    if (isInHand) raise(orgId);
  }
  const servedOf = (orgId: OrganisationId): number => served.get(orgId) ?? nowMs;
  return requests
    .filter(
      ({ id }) => !inHand.has(id) && nowMs - lastOf(turns, id) >= againMs(cause, inARow(turns, id, cause)),
    )
    .toSorted((one, other) => lastOf(turns, one.id) - lastOf(turns, other.id))
    .map(({ id, orgId }) => ({ id, orgId, turn: raise(orgId) }))
    .filter(({ turn }) => turn <= ofOne)
    .toSorted((one, other) => one.turn - other.turn || servedOf(one.orgId) - servedOf(other.orgId))
    .slice(0, aRound)
    .map(({ id, orgId }) => ({ id, orgId, cause, isFirst: isNews(cause) && inARow(turns, id, cause) === 0 }));
};

const lastOf = ({ looks, nowMs }: Turns, id: string): number => looks.get(id)?.endedMs ?? nowMs - NEVER_MS;

/** How many looks in a row had this cause, and so changed nothing. */
const inARow = ({ looks }: Turns, id: string, cause: LookCause): number => {
  const last = looks.get(id);
  return last?.cause === cause ? last.inARow : 0;
};

const isNews = (cause: LookCause): boolean => cause === "landed" || cause === "undone";

/** How long after the last look the next one comes. */
const againMs = (cause: LookCause, looksInARow: number): number => {
  if (cause === "unseen") return OPEN_AGAIN_MS;
  if (cause === "unknown") return SETTLED_AGAIN_MS;
  return looksInARow === 0 ? 0 : Math.min(SEEN_AGAIN_MS_MOST, SEEN_AGAIN_MS * 2 ** (looksInARow - 1));
};

/** The last look at each of those that are listed, once these have ended, in their order. */
export const afterLooks = (
  looks: Looks,
  listed: ReadonlySet<string>,
  ended: readonly EndedLook[],
  nowMs: number,
): Looks => {
  const after = new Map(
    [...listed].map((id): [string, LastLook] => [
      id,
      looks.get(id) ?? { endedMs: nowMs - NEVER_MS, cause: undefined, inARow: 0 },
    ]),
  );
  for (const { id, cause, endedMs } of ended) {
    const before = after.get(id);
    if (before === undefined) continue;
    after.set(id, { endedMs, cause, inARow: before.cause === cause ? before.inARow + 1 : 1 });
  }
  return after;
};

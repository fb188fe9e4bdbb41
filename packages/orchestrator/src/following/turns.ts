import type { ChainRequestId, OrganisationId } from "@conclave/custody";
import type { FollowedRequest } from "@conclave/platform";

/**
 * The reason for a look at a request: blocks show that it has landed, or that the block that settled it is undone; or
 * no block shows it while it is open (unseen), or once it is settled (unknown).
 */
export type LookCause = "landed" | "undone" | "unseen" | "unknown";

/** Limit on looks in a round at open requests that no block shows, and as many at settled ones. */
export const LOOKS_A_ROUND = 16;
/** The most requests named by blocks in one round, and the most of one organisation under way or in line; the others wait for the next round. */
const SEEN_A_ROUND = 256;
const SEEN_OF_ONE = 128;

/** The pause between two checks of a request that no block names: while it is open, and once it is settled. */
export const OPEN_AGAIN_MS = 1_000;
export const SETTLED_AGAIN_MS = 10_000;
/**
 * The pauses for a request that blocks name, after a look that changed nothing: the pause doubles each time, up to the
 * longest one.
 */
const SEEN_AGAIN_MS = 1_000;
const SEEN_AGAIN_MS_MOST = 30_000;

/**
 * A request that was never looked at counts as looked at this long ago, so that those that have waited longer come
 * first. Otherwise many new requests, round after round, would keep all others from their turns.
 */
const NEVER_MS = 10_000;

/** A look that has ended. */
export interface EndedLook {
  readonly id: ChainRequestId;
  readonly cause: LookCause;
  /** milliseconds of any clock */
  readonly endedMs: number;
}

/** The last look at a request. After a look that changed nothing, another one follows for the same cause. */
export interface LastLook {
  readonly endedMs: number;
  /** undefined before the first look */
  readonly cause: LookCause | undefined;
  /** number of looks in a row with that cause, this one included */
  readonly inARow: number;
}

/** The last look at each followed request. */
export type Looks = ReadonlyMap<string, LastLook>;

/** A look that may begin. */
export interface DueLook {
  readonly id: ChainRequestId;
  readonly orgId: OrganisationId;
  readonly cause: LookCause;
  /** whether it goes before others of its organisation: blocks show something new, and no look has followed yet */
  readonly isFirst: boolean;
}

export interface Turns {
  readonly looks: Looks;
  /** those that are being looked at, or wait for it */
  readonly inHand: ReadonlySet<string>;
  readonly nowMs: number;
}

/** The limits on looks for one cause. */
interface Portion {
  readonly aRound: number;
  /** under way or waiting, of one organisation */
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
 * Chooses the requests whose turn it is. Organisations take turns while there is room, the one that was served longest
 * ago first. Within an organisation those that were looked at longest ago come first, otherwise in the given order.
 * @param requests all that are to be looked at for the cause, including those in hand
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

/** Number of looks in a row with this cause, none of which changed anything. */
const inARow = ({ looks }: Turns, id: string, cause: LookCause): number => {
  const last = looks.get(id);
  return last?.cause === cause ? last.inARow : 0;
};

const isNews = (cause: LookCause): boolean => cause === "landed" || cause === "undone";

/** The pause after a look until the next one. */
const againMs = (cause: LookCause, looksInARow: number): number => {
  if (cause === "unseen") return OPEN_AGAIN_MS;
  if (cause === "unknown") return SETTLED_AGAIN_MS;
  return looksInARow === 0 ? 0 : Math.min(SEEN_AGAIN_MS_MOST, SEEN_AGAIN_MS * 2 ** (looksInARow - 1));
};

/** Updates the last looks of the listed requests with those that have ended, in order. */
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

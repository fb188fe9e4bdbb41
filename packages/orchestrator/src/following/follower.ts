import type { ChainHead } from "@conclave/chains";
import type { Network, Problem } from "@conclave/custody";
import { type FollowedRequest, listFollowed } from "@conclave/platform";
import { blockUnread, headUnread } from "../log/log-events.ts";
import type { ChainView } from "./chain-view.ts";
import { dueOf } from "./due.ts";
import { noteWaits, type Waits } from "./fee-waits.ts";
import { type Look, type LookWork, lookApart, lookAtBroadcasted } from "./look.ts";
import { type Looking, openLooking } from "./looking.ts";
import { readBlocks } from "./read-blocks.ts";
import { lookAtSettled } from "./reorganised.ts";
import { afterLooks, type LookCause, type Looks } from "./turns.ts";

/**
 * Pauses between two rounds while a transaction waits for its confirmation: a quarter of the head's age, within these
 * bounds. So a chain whose blocks take many seconds is queried every two seconds. Many requests lengthen the pause a
 * little.
 */
const OPEN_MS_LEAST = 250;
const OPEN_MS_MOST = 2_000;
const ROUNDS_A_BLOCK = 4;
const OPEN_MS_A_REQUEST = 0.05;
/** The pauses between rounds: while a landed transaction may still be undone, and while there is nothing to follow. */
const SETTLED_MS = 2_000;
const IDLE_MS = 1_000;
/**
 * How long a settled request is still checked although its block is final: finality by a number of confirmations
 * depends on the configuration, and a node may restart with an earlier state.
 */
const SETTLED_MINUTES = 15;
/**
 * Interval of log lines about a block or head that a node does not show: the node may show none at all, and chains make
 * blocks in a fraction of a second.
 */
const REPORT_AGAIN_MS = 60_000;
/** A height above every block: the largest number that a column of the database holds. */
const ABOVE_ALL = 2n ** 63n - 1n;

export interface FollowWork extends Omit<LookWork, "logged" | "fatesAsked" | "handedOver"> {
  readonly network: Network;
  /** whether a wallet of the network can send */
  readonly isUsed: () => Promise<boolean>;
}

interface Following extends FollowWork, LookWork {
  readonly looking: Looking;
}

/** A follower's memory of its network between rounds. A new process rebuilds it. */
interface Followed {
  readonly head: ChainHead | undefined;
  /** time when the head was first seen */
  readonly headMs: number;
  readonly view: ChainView;
  readonly looks: Looks;
  /** undefined before the first round that read the head */
  readonly waits: Waits | undefined;
  /** time of the last log line about something that the node does not show */
  readonly reportedMs: number;
}

/** Follows one network. */
export interface Follower {
  /**
   * Runs one round: begins the looks that are due, without waiting for them. @returns the pause until the next round,
   * in milliseconds
   */
  round(): Promise<number>;
  /** Waits for the looks that were begun. */
  looked(): Promise<void>;
  /** Begins no more looks, and waits for those under way. */
  stop(): Promise<void>;
}

const LOOKS: Readonly<Record<LookCause, Look>> = {
  landed: lookAtBroadcasted,
  unseen: lookAtBroadcasted,
  undone: lookAtSettled,
  unknown: lookAtSettled,
};

/**
 * Follows the signed requests of one network until they are final. Blocks are read once for all requests, so the cost
 * does not grow with the number of requests that wait. Only requests that the blocks do not settle are queried one by
 * one, some each round.
 */
export const makeFollower = (parts: FollowWork): Follower => {
  const lookWork: LookWork = { ...parts, logged: new Map(), fatesAsked: new Map(), handedOver: new Map() };
  const looking = openLooking({
    world: parts.world,
    look: ({ id, cause }) => lookApart(lookWork, id, LOOKS[cause]),
  });
  const work: Following = { ...parts, ...lookWork, looking };
  let known: Followed = {
    head: undefined,
    headMs: 0,
    view: [],
    looks: new Map(),
    waits: undefined,
    reportedMs: Number.NEGATIVE_INFINITY,
  };
  return {
    round: async () => {
      const next = await followOnce(work, known);
      known = next.known;
      return next.pauseMs;
    },
    looked: looking.looked,
    stop: looking.stop,
  };
};

interface Round {
  readonly known: Followed;
  readonly pauseMs: number;
}

const isOpen = ({ status }: FollowedRequest): boolean => status === "Executing" || status === "Broadcasted";

const list = ({ database, network }: FollowWork, finalHeight: bigint) =>
  listFollowed(database, network, finalHeight, SETTLED_MINUTES);

const followOnce = async (work: Following, known: Followed): Promise<Round> => {
  if (known.head === undefined) {
    // the node is not queried before a wallet can send
    return (await work.isUsed()) ? followChain(work, known) : { known, pauseMs: IDLE_MS };
  }
  const { finalHeight, confirmedHeight } = known.head;
  const followed = await list(work, finalHeight);
  if (followed.length === 0) return { known, pauseMs: IDLE_MS };
  const isOnChain = ({ blockNumber }: FollowedRequest) =>
    blockNumber !== undefined && blockNumber > finalHeight;
  if (followed.some((request) => isOpen(request) || isOnChain(request))) return followChain(work, known);
  // all of these are final, so reading every block of the chain for them is not worth it
  return { known: beginLooks(work, { ...known, view: [] }, followed, confirmedHeight), pauseMs: SETTLED_MS };
};

const followChain = async (work: Following, known: Followed): Promise<Round> => {
  const head = await work.chain.node.head();
  if (!head.ok) return followWithoutHead(work, known, head.problem);
  // listed after the head was read: any transaction of ours in a block up to there was stored before
  const followed = await list(work, head.value.finalHeight);
  const open = followed.filter(isOpen);
  const ours = new Set(open.map(({ txHash }) => txHash));
  const { view, unread } = await readBlocks(work.chain.node, known.view, head.value, ours);
  const reportedMs = unread === undefined ? known.reportedMs : reportUnread(work, known, unread);
  const nowMs = work.world.monotonicMs();
  const headMs = head.value.hash === known.head?.hash ? known.headMs : nowMs;
  const waits = await noteWaits(work, known.waits, open, view, head.value.height);
  const now = { head: head.value, headMs, view, looks: known.looks, waits, reportedMs };
  return {
    known: beginLooks(work, now, followed, head.value.confirmedHeight),
    pauseMs: open.length === 0 ? SETTLED_MS : openPauseMs(nowMs - headMs, open.length),
  };
};

/** Follows requests by their transactions alone, where the node does not return its head or its final block. */
const followWithoutHead = async (work: Following, known: Followed, problem: Problem): Promise<Round> => {
  const reportedMs = reportUnread(work, known, { height: undefined, problem });
  const followed = await list(work, ABOVE_ALL);
  const { looks } = beginLooks(work, { ...known, view: [] }, followed, 0n);
  return { known: { ...known, looks, reportedMs }, pauseMs: IDLE_MS };
};

/** @returns time of the last such log line */
const reportUnread = (
  work: Following,
  known: Followed,
  unread: { readonly height: bigint | undefined; readonly problem: Problem },
): number => {
  const nowMs = work.world.monotonicMs();
  if (nowMs - known.reportedMs < REPORT_AGAIN_MS) return known.reportedMs;
  const { logger, network } = work;
  const { height, problem } = unread;
  if (height === undefined) headUnread(logger, { network, problem });
  else blockUnread(logger, { network, height, problem });
  return nowMs;
};

const openPauseMs = (headAgeMs: number, requests: number): number =>
  Math.min(OPEN_MS_MOST, Math.max(OPEN_MS_LEAST, headAgeMs / ROUNDS_A_BLOCK)) + requests * OPEN_MS_A_REQUEST;

/** Begins the looks that are due. */
const beginLooks = (
  work: Following,
  known: Followed,
  followed: readonly FollowedRequest[],
  confirmedHeight: bigint,
): Followed => {
  const { looking } = work;
  const nowMs = work.world.monotonicMs();
  const listed = new Set<string>(followed.map(({ id }) => id));
  const looks = afterLooks(known.looks, listed, looking.takeEnded(), nowMs);
  for (const asked of [work.logged, work.fatesAsked, work.handedOver]) {
    for (const id of asked.keys()) if (!listed.has(id)) asked.delete(id);
  }
  looking.begin(
    dueOf({ followed, view: known.view, confirmedHeight, looks, inHand: looking.inHand(), nowMs }),
  );
  return { ...known, looks };
};

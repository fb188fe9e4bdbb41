import type { ChainHead } from "@conclave/chains";
import type { Network, Problem } from "@conclave/custody";
import { type FollowedRequest, listFollowed } from "@conclave/platform";
import type { ChainView } from "./chain-view.ts";
import { dueOf } from "./due.ts";
import { noteWaits, type Waits } from "./fee-waits.ts";
import { type LookWork, lookApart, lookAtBroadcasted, lookAtSettled } from "./look.ts";
import { readBlocks } from "./read-blocks.ts";
import { afterLooks, type Looks } from "./turns.ts";

/**
 * Pauses between two rounds while a transaction waits for its confirmation: a quarter of the head's age, within these bounds. So a chain
 * whose blocks take many seconds is asked every two seconds. Many requests make the next round wait a little longer.
 */
const OPEN_MS_LEAST = 250;
const OPEN_MS_MOST = 2_000;
const ROUNDS_A_BLOCK = 4;
const OPEN_MS_A_REQUEST = 0.05;
/** Pauses while a transaction may still be undone, and while nothing is followed. */
const SETTLED_MS = 2_000;
const IDLE_MS = 1_000;
/**
 * For how long a settled request is looked at although its block is final: final by a number of confirmations is a matter of
 * configuration, and a node may come back with a state from before.
 */
const SETTLED_MINUTES = 15;
const LOOKS_AT_A_TIME = 4;
/** What a node does not show is told of once in so long: it may show nothing at all, and chains make blocks in a fraction of a second. */
const TELL_AGAIN_MS = 60_000;
/** No block is as high: the largest number that a column of the database holds. */
const ABOVE_ALL = 2n ** 63n - 1n;

export interface FollowWork extends Omit<LookWork, "told" | "fatesAsked" | "handedOver"> {
  readonly network: Network;
  /** whether a wallet of the network could send */
  readonly isUsed: () => Promise<boolean>;
}

type Following = FollowWork & LookWork;

/** What a follower knows of its network from the rounds before. A new process knows nothing, and finds the same out. */
interface Followed {
  readonly head: ChainHead | undefined;
  /** when the head was first seen */
  readonly headMs: number;
  readonly view: ChainView;
  readonly looks: Looks;
  /** undefined before the first round that read the head */
  readonly waits: Waits | undefined;
  /** when it was last told that the node does not show something */
  readonly toldMs: number;
}

/** Follows one network. */
export interface Follower {
  /** One round. @returns how long to pause, in milliseconds */
  round(): Promise<number>;
}

/**
 * Follows what was signed on one network until nothing undoes it any more. Blocks are read once for all requests: what it costs to
 * follow many that wait does not grow with their number. Only what no block tells is asked one by one, so many a round.
 */
export const makeFollower = (parts: FollowWork): Follower => {
  const work: Following = { ...parts, told: new Map(), fatesAsked: new Map(), handedOver: new Map() };
  let known: Followed = {
    head: undefined,
    headMs: 0,
    view: [],
    looks: new Map(),
    waits: undefined,
    toldMs: Number.NEGATIVE_INFINITY,
  };
  return {
    round: async () => {
      const next = await followOnce(work, known);
      known = next.known;
      return next.pauseMs;
    },
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
    // no node is asked before a wallet could send
    return (await work.isUsed()) ? followChain(work, known) : { known, pauseMs: IDLE_MS };
  }
  const { finalHeight, confirmedHeight } = known.head;
  const followed = await list(work, finalHeight);
  if (followed.length === 0) return { known, pauseMs: IDLE_MS };
  const isOnChain = ({ blockNumber }: FollowedRequest) =>
    blockNumber !== undefined && blockNumber > finalHeight;
  if (followed.some((request) => isOpen(request) || isOnChain(request))) return followChain(work, known);
  // all of them are final: to read every block of the chain for them is not worth it
  return { known: await look(work, { ...known, view: [] }, followed, confirmedHeight), pauseMs: SETTLED_MS };
};

const followChain = async (work: Following, known: Followed): Promise<Round> => {
  const head = await work.chain.node.head();
  if (!head.ok) return followWithoutHead(work, known, head.problem);
  // listed after the head was read: whatever of ours is in a block up to there was stored before
  const followed = await list(work, head.value.finalHeight);
  const open = followed.filter(isOpen);
  const ours = new Set(open.map(({ txHash }) => txHash));
  const { view, unread } = await readBlocks(work.chain.node, known.view, head.value, ours);
  const toldMs = unread === undefined ? known.toldMs : tell(work, known, unread);
  const nowMs = work.world.monotonicMs();
  const headMs = head.value.hash === known.head?.hash ? known.headMs : nowMs;
  const waits = await noteWaits(work, known.waits, open, view, head.value.height);
  const now = { head: head.value, headMs, view, looks: known.looks, waits, toldMs };
  return {
    known: await look(work, now, followed, head.value.confirmedHeight),
    pauseMs: open.length === 0 ? SETTLED_MS : openPauseMs(nowMs - headMs, open.length),
  };
};

/** A node that does not tell its head, or its final block, may well tell of transactions. */
const followWithoutHead = async (work: Following, known: Followed, problem: Problem): Promise<Round> => {
  const toldMs = tell(work, known, { height: undefined, problem });
  const followed = await list(work, ABOVE_ALL);
  const { looks } = await look(work, { ...known, view: [] }, followed, 0n);
  return { known: { ...known, looks, toldMs }, pauseMs: IDLE_MS };
};

/** @returns when it was told of last */
const tell = (
  work: Following,
  known: Followed,
  unread: { readonly height: bigint | undefined; readonly problem: Problem },
): number => {
  const nowMs = work.world.monotonicMs();
  if (nowMs - known.toldMs < TELL_AGAIN_MS) return known.toldMs;
  work.logger.warn(
    { network: work.network, ...unread },
    unread.height === undefined
      ? "the head of a chain is not read: transactions are asked for one by one"
      : "a block is not read for confirmations: transactions are asked for one by one",
  );
  return nowMs;
};

const openPauseMs = (headAgeMs: number, requests: number): number =>
  Math.min(OPEN_MS_MOST, Math.max(OPEN_MS_LEAST, headAgeMs / ROUNDS_A_BLOCK)) + requests * OPEN_MS_A_REQUEST;

/** Looks at those that are due. */
const look = async (
  work: Following,
  known: Followed,
  followed: readonly FollowedRequest[],
  confirmedHeight: bigint,
): Promise<Followed> => {
  const nowMs = work.world.monotonicMs();
  const { view, looks } = known;
  const due = dueOf({ followed, view, confirmedHeight, looks, nowMs });
  await inTurns(due.broadcasted, (id) => lookApart(work, id, lookAtBroadcasted));
  await inTurns(due.settled, (id) => lookApart(work, id, lookAtSettled));
  const listed = new Set<string>(followed.map(({ id }) => id));
  for (const known of [work.told, work.fatesAsked, work.handedOver]) {
    for (const id of known.keys()) if (!listed.has(id)) known.delete(id);
  }
  return { ...known, looks: afterLooks(looks, listed, [...due.broadcasted, ...due.settled], nowMs) };
};

/** A few at a time: each waits for the node more than it works. */
const inTurns = async <Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> => {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: LOOKS_AT_A_TIME }, worker));
};

import type { ClusterFacts } from "../facts/cluster-facts.ts";
import type { LoadHistory } from "../load/history.ts";

/** An invariant of ARCHITECTURE.md. */
export type InvariantNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;

/** A violation of an invariant, described in words. */
export interface Finding {
  readonly invariant: `INV-${InvariantNumber}`;
  readonly words: string;
  readonly requestId?: string;
}

/** A span of time with both ends included, in Unix milliseconds. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The deviations that a plan's faults allow; a quiet run allows nothing. */
export interface Expectations {
  /** reasons with which requests may fail */
  readonly failures: readonly RegExp[];
  /** signers that lied: no other signer may be named */
  readonly liars: readonly number[];
  /** the liars that must be named, because a peer used a message that they had changed */
  readonly named: readonly number[];
  /**
   * signers whose store a fault changed: peers may show such a signer that it spent more than its store
   * remembers
   */
  readonly changedStores: readonly number[];
  /** signers among `changedStores` that must report an older copy of their store, if they have forgotten anything */
  readonly reportedOldCopies: readonly number[];
  /** times in which a signer's report may fail to reach the database */
  readonly disturbed: readonly Span[];
  /** times of publication of the messages that the bus has lost: only the database must have these */
  readonly busLost: readonly Span[];
  /**
   * Whether the bus must have the events of one request in the order of its changes. Where several
   * orchestrators publish at once, or an orchestrator publishes again after a failure, only the database has
   * the order.
   */
  readonly isBusInOrder: boolean;
  /** networks whose chains took back blocks: a request there may be broadcast, confirmed and so on more than once */
  readonly reorganised: readonly string[];
  /** times in which another organisation sent as many requests as it may: gateways must still answer all other callers */
  readonly overloaded: readonly Span[];
  /** whether another organisation made requests for its own wallets */
  readonly hasStrangers: boolean;
}

export const QUIET_RUN: Expectations = {
  failures: [],
  liars: [],
  named: [],
  changedStores: [],
  reportedOldCopies: [],
  disturbed: [],
  busLost: [],
  isBusInOrder: true,
  reorganised: [],
  overloaded: [],
  hasStrangers: false,
};

/** The input of every check. */
export interface Judged {
  readonly facts: ClusterFacts;
  readonly history: LoadHistory;
  readonly expected: Expectations;
}

/**
 * Judges the facts. A check reads nothing itself, so that a test can give it the facts of a broken cluster.
 */
export type Check = (judged: Judged) => readonly Finding[];

/** The entries that occur more than once in a list, each once. */
export const repeatedIn = (entries: readonly string[]): readonly string[] => {
  const seen = new Set<string>();
  const repeated = entries.filter((entry) => seen.size === seen.add(entry).size);
  return [...new Set(repeated)];
};

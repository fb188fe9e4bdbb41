import type { ClusterFacts } from "../facts/cluster-facts.ts";
import type { LoadHistory } from "../load/history.ts";

/** An invariant of ARCHITECTURE.md. */
export type InvariantNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;

/** That an invariant does not hold, in words that name what was found. */
export interface Finding {
  readonly invariant: `INV-${InvariantNumber}`;
  readonly words: string;
  readonly requestId?: string;
}

/** From when until when, both included, in Unix milliseconds. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The deviations that a plan's faults allow; a quiet run allows nothing. */
export interface Expectations {
  /** reasons with which requests may fail */
  readonly failures: readonly RegExp[];
  /** signers that lied: nobody else may be named */
  readonly liars: readonly number[];
  /** those of them that must be named, because a message that they bent was used */
  readonly named: readonly number[];
  /** signers whose stores another changed: their peers may tell them that they have spent more than they remember */
  readonly changedStores: readonly number[];
  /** those of them that must hear it, as far as they have forgotten anything */
  readonly reportedOldCopies: readonly number[];
  /** when what a signer reports may not come on record */
  readonly disturbed: readonly Span[];
  /** the messages that the bus has lost of its store, by their time: they are counted in the database alone */
  readonly busLost: readonly Span[];
  /**
   * Whether events of one request must be on the bus in the order of its changes. Several orchestrators publish side by side, and what
   * failed is published again: then the order is that of the database.
   */
  readonly isBusInOrder: boolean;
  /** networks whose chains took back blocks: a request there may be broadcast, confirmed and so on more than once */
  readonly reorganised: readonly string[];
  /** when another organisation asked for all that it may: every other caller is answered all the same */
  readonly overloaded: readonly Span[];
  /** whether another organisation asked for requests of wallets of its own */
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

/** Judges what was read. It reads nothing itself, so that a test can hand it the facts of a broken cluster. */
export type Check = (judged: Judged) => readonly Finding[];

/** The entries of a list that stand in it more than once, each once. */
export const repeatedIn = (entries: readonly string[]): readonly string[] => {
  const seen = new Set<string>();
  const repeated = entries.filter((entry) => seen.size === seen.add(entry).size);
  return [...new Set(repeated)];
};

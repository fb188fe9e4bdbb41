import type { FamilyDriver } from "@conclave/testbed/families";
import type { FrontRules } from "./front.ts";

/** Which of two chains of one kind of node: the one under test, or another of the same family. */
export type WhichChain = "ours" | "other";

/** Another implementation's node, which runs as a private chain on loopback. */
export interface RunningNode {
  /** URL of the family's usual interface */
  readonly url: string;
  /** the URL for a path, for a node that listens on several ports */
  readonly urlOf?: (path: string) => string;
  /** the node's own name and version */
  readonly version: string;
  /** Its entry in the networks file. @param url where clients reach the node */
  readonly entry: (network: string, url: string) => { readonly network: string; readonly family: string };
  /** Pays an account, which can spend it once this resolves. @param units in the smallest unit */
  readonly fund: (address: string, units: bigint) => Promise<void>;
  /** Makes blocks, the first with all waiting transactions; for a node that makes blocks itself, waits for so many. */
  readonly mine: (blocks: number) => Promise<void>;
  /** Replaces the last block by an empty one; absent if blocks are final at once, or no command undoes them. */
  readonly reorganise?: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** How to request transfers with a kind of node, and to read them with its own library. */
export type ForeignDriver = Pick<FamilyDriver, "least" | "native" | "kinds" | "read" | "balance">;

export type SuiteFile = "Evm" | "Bitcoin" | "Tron" | "Algorand";

/** A suite test that fails because of the node itself, with any client. */
export interface OwnFault {
  /** the test's title in the suite */
  readonly title: string;
  /** the reason as a clause: "it takes …" */
  readonly why: string;
}

/** The facts of a node for the conformance suite. */
export interface SuiteFacts {
  /** the test file that tests it: nodes of one file are tested in sequence, files in parallel */
  readonly file: SuiteFile;
  /** blocks until a landed transaction is final */
  readonly finalAfter: number;
  /** blocks until an expired transaction is dead */
  readonly outlivedAfter: number;
  /** timeout of a test in the suite, in milliseconds */
  readonly testMs: number;
  readonly ownFaults?: readonly OwnFault[];
}

/** A kind of node that may be installed on this machine. */
export interface ForeignKind {
  readonly name: string;
  /** the environment variable that names the node */
  readonly variable: string;
  /** the thing that the variable names, such as "its binary" */
  readonly names: string;
  /** whether this repository's packages include it, so that it is always installed */
  readonly isBundled?: boolean;
  /** its command name on the path; undefined if it has none */
  readonly command?: string;
  /** the network that a cluster serves with it */
  readonly network: string;
  /** whether the node makes its blocks by itself */
  readonly makesBlocks: boolean;
  /** the funds of a wallet, in the smallest unit */
  readonly funds: bigint;
  readonly suite: SuiteFacts;
  readonly driver: ForeignDriver;
  readonly rules: FrontRules;
  /** a permanent refusal in the node's own words */
  readonly finalRefusal: string;
  /** whether a transaction is confirmed in its first block, which can still be undone */
  readonly confirmsAtOnce?: boolean;
  /** whether transactions expire, and requests are built again */
  readonly expires: boolean;
  readonly start: (path: string, which: WhichChain) => Promise<RunningNode>;
}

import type { FamilyDriver } from "@conclave/testbed/families";
import type { FrontRules } from "./front.ts";

/** Of two chains of one kind of node: the one on trial, and one of the same family that is another. */
export type WhichChain = "ours" | "other";

/** A node of somebody else's making, which runs as a private chain of its own on loopback. */
export interface RunningNode {
  /** where it is spoken to as its family does */
  readonly url: string;
  /** where it serves a path, for a node that listens at several ports */
  readonly urlOf?: (path: string) => string;
  /** its own name and version */
  readonly version: string;
  /** Its entry in the networks file. @param url where the node is reached */
  readonly entry: (network: string, url: string) => { readonly network: string; readonly family: string };
  /** Pays an account, which can spend it as soon as this resolves. @param units of the smallest unit */
  readonly fund: (address: string, units: bigint) => Promise<void>;
  /** Makes blocks, the first one with whatever waits; where a node makes them by itself, lets so many pass. */
  readonly mine: (blocks: number) => Promise<void>;
  /** Puts an empty block in the place of the last one; absent where what a block holds is final, or no command undoes it. */
  readonly reorganise?: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** How a kind of node is asked for transfers, and what its own library reads of them. */
export type ForeignDriver = Pick<FamilyDriver, "least" | "native" | "kinds" | "read" | "balance">;

export type SuiteFile = "Evm" | "Bitcoin" | "Tron" | "Algorand";

/** A test of the suite that a node itself breaks, whatever speaks to it. */
export interface OwnFault {
  /** as the suite names the test */
  readonly title: string;
  /** a clause: "it takes …" */
  readonly why: string;
}

/** The facts of a node that the conformance suite needs. */
export interface SuiteFacts {
  /** which file of tests tries it: those of one file run one after another, and the files side by side */
  readonly file: SuiteFile;
  /** blocks until what has landed is final */
  readonly finalAfter: number;
  /** blocks until what can no longer land is dead */
  readonly outlivedAfter: number;
  /** milliseconds that one test of the suite may take */
  readonly testMs: number;
  readonly ownFaults?: readonly OwnFault[];
}

/** A kind of node that may be on this machine. */
export interface ForeignKind {
  readonly name: string;
  /** the environment's variable that names it */
  readonly variable: string;
  /** the content of the variable, such as "its binary" */
  readonly names: string;
  /** whether it comes with the packages of this repository, and is always there */
  readonly isBundled?: boolean;
  /** its name on the path; undefined where it is not on the path */
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
  /** a refusal for ever, in the node's own words */
  readonly finalRefusal: string;
  /** whether a transaction is confirmed in its first block, which can be undone still */
  readonly confirmsAtOnce?: boolean;
  /** whether a transaction dies by time, and the request is built again */
  readonly expires: boolean;
  readonly start: (path: string, which: WhichChain) => Promise<RunningNode>;
}

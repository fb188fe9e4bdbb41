import { sha512_256 } from "@noble/hashes/sha2.js";
import { keyOfAddress } from "./address.ts";
import type { AlgodGenesis } from "./genesis.ts";
import { encodeCanonical, type MsgpackMap, type MsgpackValue } from "./msgpack.ts";
import type { AppliedData } from "./rules/applied.ts";
import type { AlgodPast } from "./rules/history.ts";
import { headerDigest } from "./transaction/identity.ts";
import type { AlgodSubmission } from "./transaction/transaction.ts";

/** ConsensusV41: the protocol version whose rules this ledger follows, for the transaction types that it implements. */
export const CONSENSUS_VERSION =
  "https://github.com/algorandfoundation/specs/tree/953304de35264fc3ef91bcd05c123242015eeaed";

export interface ConfirmedTransaction {
  readonly submission: AlgodSubmission;
  readonly applied: AppliedData;
  readonly round: bigint;
}

export interface AlgodBlock {
  readonly round: bigint;
  /** seconds since 1970 */
  readonly time: bigint;
  /** SHA-512/256 of the header */
  readonly hash: Uint8Array;
  readonly header: MsgpackMap;
  readonly transactions: ReadonlyMap<string, ConfirmedTransaction>;
  readonly past: AlgodPast;
}

/** Leaves out empty values, as the canonical encoding does. */
const withoutEmpty = (entries: readonly (readonly [string, MsgpackValue])[]): MsgpackMap =>
  new Map(entries.filter(([, value]) => value !== 0n && value !== "" && value !== false));

/**
 * A transaction as a block holds it: without the fields that the block's header has for all of them, and with its
 * effects.
 * @source go-algorand, data/bookkeeping/block.go: EncodeSignedTxn
 */
const inBlock = ({ submission, applied }: ConfirmedTransaction): MsgpackMap => {
  const { fields, signedFields, transaction } = submission;
  const shortened = new Map([...fields].filter(([key]) => key !== "gen" && key !== "gh"));
  return withoutEmpty([
    ...signedFields,
    ["txn", shortened],
    ["hgi", transaction.genesisId !== ""],
    ["ca", applied.closingAmount],
    ["aca", applied.assetClosingAmount],
    ["caid", applied.createdAsset ?? 0n],
  ]);
};

export interface BlockContent {
  readonly round: bigint;
  readonly time: bigint;
  readonly previous: Uint8Array;
  readonly transactionCount: bigint;
  readonly transactions: readonly ConfirmedTransaction[];
  readonly past: AlgodPast;
}

/**
 * Makes a block. Its commitment to the transactions is a digest of their list, not the Merkle root of a real node: no
 * reader of blocks that uses the SDK verifies membership.
 */
export const makeBlock = (genesis: AlgodGenesis, content: BlockContent): AlgodBlock => {
  const { round, time, previous, transactionCount, transactions, past } = content;
  const header = withoutEmpty([
    ["rnd", round],
    ["ts", time],
    ["gen", genesis.id],
    ["gh", genesis.hash],
    ["prev", previous],
    ["seed", sha512_256(previous)],
    ["txn", sha512_256(encodeCanonical(transactions.map(inBlock)))],
    ["fees", keyOfAddress(genesis.feeSink)],
    ["rwd", keyOfAddress(genesis.rewardsPool)],
    ["proto", CONSENSUS_VERSION],
    ["fc", transactions.reduce((sum, { submission }) => sum + submission.transaction.fee, 0n)],
    ["tc", transactionCount],
  ]);
  return {
    round,
    time,
    hash: headerDigest(header),
    header,
    transactions: new Map(transactions.map((each) => [each.submission.id, each])),
    past,
  };
};

/** A block as GET /v2/blocks/{round} returns it, but without a certificate. */
export const blockMap = ({ header, transactions }: AlgodBlock, headerOnly: boolean): MsgpackMap => {
  const whole = new Map<string, MsgpackValue>([...header, ["txns", [...transactions.values()].map(inBlock)]]);
  return new Map([["block", headerOnly || transactions.size === 0 ? header : whole]]);
};

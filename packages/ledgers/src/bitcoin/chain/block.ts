import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { pushOf, pushOfNumber } from "../script/make.ts";
import { wireCount, wireHash, wireNumber, wireWithoutWitness } from "../transaction/encode.ts";
import { hashText, twiceSha256, withIdentity } from "../transaction/identity.ts";
import type { BitcoindOutput, BitcoindSerialisedTransaction } from "../transaction/transaction.ts";
import type { BitcoindCoin } from "./coin.ts";

/** The compact target of the lowest difficulty, which every block has. */
const EASIEST_BITS = 0x207fffff;
const EASIEST_TARGET = `7fffff${"0".repeat(58)}`;
/** The expected number of hashes for such a block. */
const WORK = 2n;
const HEADER_VERSION = 0x20000000;
const NO_HASH = "0".repeat(64);
const COMMITMENT_HEADER = hexToBytes("6a24aa21a9ed");
const RESERVED_VALUE = new Uint8Array(32);
const MEDIAN_BLOCKS = 11;

export interface BitcoindHeader {
  readonly version: number;
  readonly previous: string;
  readonly merkleRoot: string;
  /** seconds since 1970 */
  readonly time: number;
  readonly bits: number;
  readonly nonce: number;
}

export interface BitcoindBlock {
  readonly hash: string;
  readonly height: number;
  readonly header: BitcoindHeader;
  /** the median of the times of the last eleven blocks, this one included */
  readonly medianTime: number;
  /** the times of the last eleven blocks, this one's last */
  readonly times: readonly number[];
  readonly chainWork: bigint;
  /** coinbase first */
  readonly transactions: readonly BitcoindSerialisedTransaction[];
  /** the outputs that its transactions spent, by outpoint, so that the block can be undone */
  readonly spent: ReadonlyMap<string, BitcoindCoin>;
}

export const wireHeader = ({
  version,
  previous,
  merkleRoot,
  time,
  bits,
  nonce,
}: BitcoindHeader): Uint8Array =>
  concatBytes(
    wireNumber(version, 4),
    wireHash(previous),
    wireHash(merkleRoot),
    wireNumber(time, 4),
    wireNumber(bits, 4),
    wireNumber(nonce, 4),
  );

export const wireBlock = ({ header, transactions }: BitcoindBlock): Uint8Array =>
  concatBytes(wireHeader(header), wireCount(transactions.length), ...transactions.map(({ bytes }) => bytes));

/** Sizes as getblock shows them. */
export const blockSizes = (
  block: BitcoindBlock,
): { readonly stripped: number; readonly whole: number; readonly weight: number } => {
  const around = 80 + wireCount(block.transactions.length).length;
  const stripped = block.transactions.reduce((sum, each) => sum + wireWithoutWitness(each).length, around);
  const whole = block.transactions.reduce((sum, { bytes }) => sum + bytes.length, around);
  return { stripped, whole, weight: stripped * 3 + whole };
};

/** @param hashes at least one, in display order (bytes reversed) */
export const merkleRootOf = (hashes: readonly string[]): string => {
  let level = hashes.map(wireHash);
  while (level.length > 1) {
    const pairs: Uint8Array[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const left = level[at] ?? RESERVED_VALUE;
      pairs.push(twiceSha256(concatBytes(left, level[at + 1] ?? left)));
    }
    level = pairs;
  }
  return hashText(level[0] ?? RESERVED_VALUE);
};

/** @source BIP-141, Commitment structure */
const witnessCommitment = (transactions: readonly BitcoindSerialisedTransaction[]): BitcoindOutput => {
  const root = merkleRootOf([NO_HASH, ...transactions.map(({ wtxid }) => wtxid)]);
  return {
    amount: 0n,
    script: concatBytes(COMMITMENT_HEADER, twiceSha256(concatBytes(wireHash(root), RESERVED_VALUE))),
  };
};

export interface BitcoindBlockContent {
  readonly height: number;
  /** undefined for the first block */
  readonly previous: BitcoindBlock | undefined;
  readonly time: number;
  /** the outputs of the coinbase */
  readonly rewards: readonly BitcoindOutput[];
  /** makes the block's coinbase, and so its txid, unique */
  readonly mark: string;
  /** parents before children */
  readonly transactions: readonly BitcoindSerialisedTransaction[];
  readonly spent: ReadonlyMap<string, BitcoindCoin>;
}

/** The coinbase transaction, with its height (BIP-34) and the witness commitment (BIP-141). */
const rewardTransaction = (content: BitcoindBlockContent): BitcoindSerialisedTransaction =>
  withIdentity({
    version: 2,
    inputs: [
      {
        txid: NO_HASH,
        index: 0xffffffff,
        script: concatBytes(pushOfNumber(content.height), pushOf(utf8ToBytes(content.mark))),
        sequence: 0xffffffff,
        witness: [RESERVED_VALUE],
      },
    ],
    outputs: [...content.rewards, witnessCommitment(content.transactions)],
    lockTime: 0,
  });

/** Tries nonces from 0 until the header's hash meets the target. */
const withWork = (header: BitcoindHeader): { readonly header: BitcoindHeader; readonly hash: string } => {
  for (let nonce = 0; ; nonce += 1) {
    const tried = { ...header, nonce };
    const hash = hashText(twiceSha256(wireHeader(tried)));
    if (hash <= EASIEST_TARGET) return { header: tried, hash };
  }
};

/** Makes a block on top of another. Equal contents give equal blocks. */
export const makeBitcoindBlock = (content: BitcoindBlockContent): BitcoindBlock => {
  const { height, previous, time, spent } = content;
  const transactions = [rewardTransaction(content), ...content.transactions];
  const times = [...(previous?.times ?? []), time].slice(-MEDIAN_BLOCKS);
  const { header, hash } = withWork({
    version: HEADER_VERSION,
    previous: previous?.hash ?? NO_HASH,
    merkleRoot: merkleRootOf(transactions.map(({ txid }) => txid)),
    time,
    bits: EASIEST_BITS,
    nonce: 0,
  });
  return {
    hash,
    height,
    header,
    medianTime: [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? time,
    times,
    chainWork: (previous?.chainWork ?? 0n) + WORK,
    transactions,
    spent,
  };
};

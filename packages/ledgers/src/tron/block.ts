import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { type JavaTronAddress, javaTronAddressBytes } from "./address.ts";
import { javaTronBytesField, javaTronMessageOf, javaTronNumberField } from "./protobuf/wire-writer.ts";
import type { JavaTronReceipt } from "./rules/applied.ts";
import { encodeJavaTronTransaction } from "./transaction/encode.ts";
import type { JavaTronSubmission } from "./transaction/transaction.ts";

const HASH_BYTES = 32;
const NUMBER_BYTES = 8;
/** The version of blocks that java-tron 4.8 makes. */
export const BLOCK_VERSION = 31;

export interface JavaTronConfirmed {
  readonly submission: JavaTronSubmission;
  readonly receipt: JavaTronReceipt;
}

export interface JavaTronBlock {
  readonly number: number;
  /** SHA-256 of the header with its first 8 bytes replaced by the number, in hex */
  readonly id: string;
  /** milliseconds since 1970 */
  readonly time: number;
  readonly parentId: string;
  readonly witness: JavaTronAddress;
  /** SHA-256 of the header in hex, which its witness signs */
  readonly digest: string;
  readonly transactionsRoot: string;
  /** by id, in block order */
  readonly transactions: ReadonlyMap<string, JavaTronConfirmed>;
}

/** @source java-tron, MerkleTree: an odd node moves up unchanged */
const merkleRoot = (leaves: readonly Uint8Array[]): Uint8Array => {
  let level = leaves;
  while (level.length > 1) {
    level = level.flatMap((left, at) => {
      const right = level[at + 1];
      if (at % 2 === 1) return [];
      return [right === undefined ? left : sha256(concatBytes(left, right))];
    });
  }
  return level[0] ?? new Uint8Array(HASH_BYTES);
};

export interface JavaTronBlockContent {
  readonly number: number;
  readonly time: number;
  readonly parent: Uint8Array;
  readonly transactions: readonly JavaTronConfirmed[];
}

/**
 * Makes a block. Its witness signs it only when the block is first shown, because most never are. The Merkle root covers
 * transactions without their results.
 * @source java-tron, BlockCapsule
 */
export const sealJavaTronBlock = (
  witness: JavaTronAddress,
  { number, time, parent, transactions }: JavaTronBlockContent,
): JavaTronBlock => {
  const root = merkleRoot(
    transactions.map(({ submission }) =>
      sha256(encodeJavaTronTransaction(submission.rawData, submission.signatures)),
    ),
  );
  const header = javaTronMessageOf(
    javaTronNumberField(1, BigInt(time)),
    javaTronBytesField(2, root),
    javaTronBytesField(3, parent),
    javaTronNumberField(7, BigInt(number)),
    javaTronBytesField(9, javaTronAddressBytes(witness)),
    javaTronNumberField(10, BigInt(BLOCK_VERSION)),
  );
  const digest = bytesToHex(sha256(header));
  return {
    number,
    id: number.toString(16).padStart(2 * NUMBER_BYTES, "0") + digest.slice(2 * NUMBER_BYTES),
    time,
    parentId: bytesToHex(parent),
    witness,
    digest,
    transactionsRoot: bytesToHex(root),
    transactions: new Map(transactions.map((each) => [each.submission.id, each])),
  };
};

/** The bytes of a block's id, by which the next block names its parent. */
export const javaTronIdBytes = ({ id }: JavaTronBlock): Uint8Array => hexToBytes(id);

/** A transaction's reference to a block: the two lowest bytes of its number, and eight bytes of its id, both in hex. */
export const javaTronReference = ({
  number,
  id,
}: JavaTronBlock): { readonly bytes: string; readonly hash: string } => ({
  bytes: (number % 0x1_0000).toString(16).padStart(4, "0"),
  hash: id.slice(2 * NUMBER_BYTES, 4 * NUMBER_BYTES),
});

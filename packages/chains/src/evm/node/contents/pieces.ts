import type { Hash, Hex, RpcLog } from "viem";
import { BlockPieces } from "../../../answers/block-pieces.ts";

/** Receipts and transactions are asked for a few at a time. */
const ASKED_AT_A_TIME = 8;

/** The read parts of a transaction. */
export interface BlockTransaction {
  readonly hash: Hash;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly value: Hex;
}

/** The progress of blocks that are read over several rounds. */
export interface EvmPieces {
  /** the logs of the one event, out of each receipt */
  readonly logs: BlockPieces<readonly RpcLog[]>;
  readonly transactions: BlockPieces<BlockTransaction>;
  /** whether payments to wallets here were carried out */
  readonly outcomes: BlockPieces<boolean>;
}

export const noEvmPieces = (): EvmPieces => ({
  logs: new BlockPieces(),
  transactions: new BlockPieces(),
  outcomes: new BlockPieces(),
});

/** The block was read: it is asked for no more. */
export const forgetPieces = ({ logs, transactions, outcomes }: EvmPieces, block: Hash): void => {
  for (const pieces of [logs, transactions, outcomes]) pieces.forget(block);
};

/** Asks about each of many transactions that no piece is known of, a few at a time. @throws the first failure, once all of a time came */
export const pieceOfEach = async <T>(
  pieces: BlockPieces<T>,
  block: string,
  hashes: readonly Hash[],
  ask: (hash: Hash) => Promise<T>,
): Promise<readonly T[]> => {
  const found: T[] = [];
  for (let at = 0; at < hashes.length; at += ASKED_AT_A_TIME) {
    const asked = hashes.slice(at, at + ASKED_AT_A_TIME).map(async (hash) => {
      return pieces.known(block, hash) ?? pieces.keep(block, hash, await ask(hash));
    });
    await Promise.allSettled(asked);
    found.push(...(await Promise.all(asked)));
  }
  return found;
};

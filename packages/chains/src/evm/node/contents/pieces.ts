import type { Hash, Hex, RpcLog } from "viem";
import { BlockPieces } from "../../../answers/block-pieces.ts";

/** Number of receipts or transactions that are requested at once. */
const ASKED_AT_A_TIME = 8;

/** The parts of a transaction that are read. */
export interface BlockTransaction {
  readonly hash: Hash;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly value: Hex;
}

/** The pieces read so far of blocks that take several rounds. */
export interface EvmPieces {
  /** the logs of the one event, by receipt */
  readonly logs: BlockPieces<readonly RpcLog[]>;
  readonly transactions: BlockPieces<BlockTransaction>;
  /** whether payments to our wallets succeeded */
  readonly outcomes: BlockPieces<boolean>;
}

export const noEvmPieces = (): EvmPieces => ({
  logs: new BlockPieces(),
  transactions: new BlockPieces(),
  outcomes: new BlockPieces(),
});

/** Drops the pieces of a block that was read completely. */
export const forgetPieces = ({ logs, transactions, outcomes }: EvmPieces, block: Hash): void => {
  for (const pieces of [logs, transactions, outcomes]) pieces.forget(block);
};

/**
 * Requests the missing pieces of many transactions, a few at a time. @throws the first failure, after all requests of
 * its group have ended
 */
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

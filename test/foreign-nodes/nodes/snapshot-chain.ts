import { z } from "zod";
import { askJsonRpc } from "./json-rpc.ts";

/** The blocks of a node that undoes blocks with `evm_snapshot` and `evm_revert`, as Hardhat and ganache do. */
export interface SnapshotChain {
  mine(blocks: number): Promise<void>;
  /** Undoes the last block and mines an empty one in its place. */
  reorganise(): Promise<void>;
}

const snapshotSchema = z.string();

/** @param forget removes a transaction of the undone block from the pool; does nothing where `evm_revert` already removes it */
export const snapshotChain = (url: string, forget: (hash: string) => Promise<unknown>): SnapshotChain => {
  let before: string | undefined;
  const mineOne = async (): Promise<void> => {
    before = snapshotSchema.parse(await askJsonRpc(url, "evm_snapshot"));
    await askJsonRpc(url, "evm_mine");
  };
  const inBlock = z.object({ transactions: z.array(z.string()) });
  return {
    mine: async (blocks) => {
      for (let made = 0; made < blocks; made += 1) await mineOne();
    },
    reorganise: async () => {
      if (before === undefined) throw new Error("no block was made that could be undone");
      const last = await askJsonRpc(url, "eth_getBlockByNumber", ["latest", false]);
      await askJsonRpc(url, "evm_revert", [before]);
      before = undefined;
      for (const hash of inBlock.parse(last).transactions) await forget(hash);
      // a later timestamp, so that the new block has another hash
      await askJsonRpc(url, "evm_increaseTime", [1]);
      await mineOne();
    },
  };
};

import { z } from "zod";
import { askJsonRpc } from "./json-rpc.ts";

/** The blocks of a node that undoes them by `evm_snapshot` and `evm_revert`, as Hardhat and ganache do. */
export interface SnapshotChain {
  mine(blocks: number): Promise<void>;
  /** Undoes the last block, and makes an empty one in its place. */
  reorganise(): Promise<void>;
}

const snapshotSchema = z.string();

/** @param forget takes a waiting transaction out of the node's pool; absent where reverting forgets what came after the snapshot */
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
      // another moment, so that the block in its place has another hash
      await askJsonRpc(url, "evm_increaseTime", [1]);
      await mineOne();
    },
  };
};

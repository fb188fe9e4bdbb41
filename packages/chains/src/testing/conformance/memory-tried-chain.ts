import { setImmediate as turn } from "node:timers/promises";
import { parseEther } from "viem";
import { EVM_FAMILY } from "../../evm/family.ts";
import { FAMILIES } from "../../registry.ts";
import { testAccount } from "../account.ts";
import { openMemoryChain } from "../memory-chain/chain.ts";
import { SEPOLIA } from "../samples.ts";
import { firstEntry } from "./first-entry.ts";
import { openHandWorld } from "./hand-world.ts";
import type { OpenTriedChain, Trouble } from "./tried-chain.ts";

const OTHER_CHAIN_ID = 17_000;
const FINAL_BLOCKS = 3;
const AMOUNT = parseEther("1");
const TURN_MS = 1_000;

/** Opens an in-memory EVM chain. */
export const openTriedMemoryChain: OpenTriedChain = async (which) => {
  const world = openHandWorld();
  const chainId = which === "ours" ? SEPOLIA.chainId : OTHER_CHAIN_ID;
  const chain = openMemoryChain({ world, chainId });
  const written = { ...SEPOLIA, chainId, rpcUrl: "http://memory.invalid", confirmations: 2 };
  const mine = async (blocks = 1): Promise<void> => chain.mine(blocks);
  const trouble = (name: string, kind: "leave" | "hang"): Trouble => ({
    name,
    meet: async (entry, ask) => {
      const line = chain.openLine();
      line[kind]();
      let isOver = false;
      const asked = ask(chain.connect(EVM_FAMILY.entrySchema.parse(entry), line)).finally(() => {
        isOver = true;
      });
      for (; !isOver; await turn()) world.pass(TURN_MS);
      return asked;
    },
  });
  return {
    family: FAMILIES.find(EVM_FAMILY.name) ?? EVM_FAMILY,
    entry: firstEntry(written),
    connect: (entry) => chain.connect(EVM_FAMILY.entrySchema.parse(entry)),
    keyOf: testAccount,
    amount: AMOUNT,
    transfer: (_from, to, amount) => ({ kind: "Native", to: to.toLowerCase(), amount: amount.toString() }),
    fund: async (address) => chain.fund(address, 10n * AMOUNT),
    mine,
    include: mine,
    finalise: () => mine(FINAL_BLOCKS),
    outlive: () => mine(FINAL_BLOCKS),
    reorganise: async () => chain.reorganise(1),
    showsPool: true,
    troubles: [trouble("is away", "leave"), trouble("is silent", "hang")],
    close: async () => chain.stop(),
  };
};

import { makeNodeRegistry } from "@conclave/chains/node";
import { openMemoryChain, SEPOLIA } from "@conclave/chains/testing";
import { fail, networkSchema, type World } from "@conclave/custody";
import { readsNumbered } from "../check/payload/read-numbered.ts";
import { remote } from "../link/remote.ts";
import { BLOCK_MS, type LaggingViews, type WorldChain } from "./world-chain.ts";
import { ACCOUNTS_NETWORK } from "./world-networks.ts";

const FUNDS = 10n ** 24n;

/** An address that nobody else is paid at. */
const recipient = (number: number): string => `0x${(0x1000_0000 + number).toString(16).padStart(40, "0")}`;

/**
 * An EVM chain that makes a block each second, and its nodes.
 * @param views says which calls are answered by a node that is behind
 */
export const openSimulatedChain = (world: World, views: LaggingViews): WorldChain => {
  const chain = openMemoryChain({ world, chainId: SEPOLIA.chainId, blockMs: BLOCK_MS });
  const entry = {
    ...SEPOLIA,
    network: networkSchema.parse(ACCOUNTS_NETWORK),
    rpcUrl: "http://127.0.0.1:8545",
    confirmations: 1,
  };
  const node = chain.connect(entry);
  return {
    entry,
    server: "chain",
    patienceMs: 5_000,
    nodeOver: (link) => {
      const [newest, behind] = [chain.connect(entry), chain.connectBehind(entry, views.behindMs)];
      const answering = () => (views.isBehind() ? behind : newest);
      return makeNodeRegistry({ Evm: () => remote(newest, link, silence, answering) }).connect(entry);
    },
    controls: chain,
    fund: (addresses) => {
      for (const address of addresses) chain.fund(address, FUNDS);
    },
    payment: (number) => ({ to: recipient(number), amount: BigInt(number) }),
    waiting: () => chain.waiting().length,
    landed: () => chain.landed(),
    arrived: async (to) => {
      const balance = await node.balance(to);
      if (!balance.ok) throw new Error(balance.problem.message);
      return balance.value;
    },
    readPayload: readsNumbered(BigInt(entry.chainId)),
  };
};

const NO_ANSWER = "The chain node does not answer.";

/** A call's result in the form of a client of a real node that waited in vain. */
const silence = (call: string): unknown =>
  call === "broadcast" ? { kind: "refused", reason: NO_ANSWER } : fail("ServiceUnavailable", {}, NO_ANSWER);

import { makeNodeRegistry } from "@conclave/chains/node";
import { openMemoryChain, SEPOLIA } from "@conclave/chains/testing";
import { fail, networkSchema, type World } from "@conclave/custody";
import { readsNumbered } from "../check/payload/read-numbered.ts";
import { remote } from "../link/remote.ts";
import { BLOCK_MS, type WorldChain } from "./world-chain.ts";

/** The network of a world whose plan names none. */
export const SIMULATED_NETWORK: string = SEPOLIA.network;

const FUNDS = 10n ** 24n;

/** An address that nobody else is paid at. */
const recipient = (number: number): string => `0x${(0x1000_0000 + number).toString(16).padStart(40, "0")}`;

/** An EVM chain that makes a block each second, and its node. */
export const openSimulatedChain = (world: World): WorldChain => {
  const chain = openMemoryChain({ world, chainId: SEPOLIA.chainId, blockMs: BLOCK_MS });
  const entry = {
    ...SEPOLIA,
    network: networkSchema.parse(SEPOLIA.network),
    rpcUrl: "http://127.0.0.1:8545",
    confirmations: 1,
  };
  const node = chain.connect(entry);
  return {
    entry,
    server: "chain",
    patienceMs: 5_000,
    nodeOver: (link) =>
      makeNodeRegistry({ Evm: () => remote(chain.connect(entry), link, silence) }).connect(entry),
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

import { type Arrival, type ChainNode, FAMILIES } from "@conclave/chains";
import { attachSignatures, buildTransfer } from "@conclave/chains/evm";
import { NODES } from "@conclave/chains/node";
import { FEES, openMemoryChain } from "@conclave/chains/testing";
import { type ChainWallet, fail, ok } from "@conclave/custody";
import { followedNetworks, listEvents, makeLogger } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { keccak256 } from "viem/utils";
import { z } from "zod";
import { type DepositWatch, noWatchMemory, type WatchMemory } from "../deposits/deposit-watch.ts";
import { tokenDescriber } from "../deposits/described-tokens.ts";
import { startWorld, type World } from "./world.ts";

const DETECTED = "wallet.blockchainevent.detected";

/** A wallet, and chains that are read for deposits to it. */
export type WatchedWallet = Awaited<ReturnType<typeof openWatchedWallet>>;

/** The numbers that the watch reported. */
interface Counts {
  unread: number | undefined;
  passedOver: number;
  unstorable: number;
  unannounced: number;
}

const nodeWithBlocks = (
  world: World,
  blocks: ReadonlyMap<bigint, readonly Arrival[]>,
  finalHeight: bigint,
  branch: string,
): ChainNode => ({
  ...NODES.connect(world.network),
  block: async (height) =>
    ok({ height, hash: `${branch}${height}`, parentHash: `${branch}${height - 1n}`, holds: [] }),
  head: async () => ok({ height: finalHeight + 3n, hash: "0x", confirmedHeight: finalHeight, finalHeight }),
  arrivals: async (height, areOurs, arePayers) => {
    const seen = blocks.get(height) ?? [];
    const ours = await areOurs(seen.map(({ moved }) => moved.to));
    const payers = await arePayers?.(seen.flatMap(({ from }) => from ?? []));
    return ok(seen.filter(({ moved, from }) => ours.has(moved.to) || payers?.has(from ?? "") === true));
  },
});

const openPayingChain = ({ network, account }: World, wallet: ChainWallet, chainId: number) => {
  const chain = openMemoryChain({ world: processWorld, chainId });
  const node = chain.connect(network);
  chain.fund(account.address, 10n ** 18n);
  let nonce = 0n;
  const pay = async (): Promise<void> => {
    const transfer = { kind: "Native", to: wallet.address.toLowerCase(), amount: "5" } as const;
    const unsigned = buildTransfer({ chainId, nonce, fees: FEES, gasLimit: 21_000n, transfer });
    const signature = account.sign(keccak256(unsigned, "bytes"));
    const attached = attachSignatures(unsigned, [signature], [account.publicKey]);
    if (!attached.ok) throw new Error(attached.problem.message);
    const { kind } = await node.broadcast(attached.value.signed);
    if (kind !== "accepted") throw new Error(`the payment is ${kind}`);
    nonce += 1n;
    chain.mine();
  };
  return { chain, node, pay };
};

/** Time between two rounds. */
const ROUND_MS = 10_000;

/** The state that lasts from one round to the next. */
interface Lasting {
  readonly memory: WatchMemory;
  readonly counts: Counts;
  nowMs: number;
}

const watchOf = (
  world: World,
  { network }: ChainWallet,
  node: ChainNode,
  { memory, counts, nowMs }: Lasting,
): DepositWatch => ({
  memory,
  monotonicMs: () => nowMs,
  database: world.orchestratorDatabase,
  families: FAMILIES,
  chain: { family: FAMILIES.familyOf(network), node },
  network,
  isUsed: async () => (await followedNetworks(world.orchestratorDatabase, [network])).length > 0,
  describeTokens: tokenDescriber(processWorld),
  now: () => "2026-01-02T03:04:05.678Z",
  unread: (blocks) => {
    counts.unread = blocks;
  },
  logger: makeLogger({ name: "test", level: "silent" }),
  counted: {
    depositUnstorable: () => {
      counts.unstorable += 1;
    },
    depositsUnannounced: (_, { unannounced }) => {
      counts.unannounced += unannounced;
    },
    blocksForgotten: (_, { blocks }) => {
      counts.passedOver += blocks;
    },
    blockTooLarge: () => {
      counts.passedOver += 1;
    },
  },
});

/** Starts a world of its own with a wallet; to be stopped by its `world`. */
export const openWatchedWallet = async () => {
  const world = await startWorld();
  const wallet = await world.wallet();
  const counts: Counts = { unread: undefined, passedOver: 0, unstorable: 0, unannounced: 0 };
  const lasting: Lasting = { memory: noWatchMemory(), counts, nowMs: 0 };
  return {
    world,
    wallet,
    counts,
    /** A payment of the coin to the wallet. */
    native: (txHash: string, amount = "5"): Arrival => ({
      txHash,
      place: "value",
      from: "0x00000000000000000000000000000000C0FfeE00",
      moved: { kind: "Native", to: wallet.address, amount },
    }),
    /** A node whose blocks have these arrivals, up to a final height; `branch` is in each of their hashes. */
    nodeWith: (blocks: ReadonlyMap<bigint, readonly Arrival[]>, finalHeight: bigint, branch = "0xa") =>
      nodeWithBlocks(world, blocks, finalHeight, branch),
    /** A chain in memory, on which the world's account pays the wallet. */
    payingChain: (chainId = world.network.chainId) => openPayingChain(world, wallet, chainId),
    watchWith: (node: ChainNode) => {
      lasting.nowMs += ROUND_MS;
      return watchOf(world, wallet, node, lasting);
    },
    detected: async () =>
      (await listEvents(world.database, wallet.id)).filter(({ kind }) => kind === DETECTED),
    stored: () =>
      world.database.rows(
        z.object({ tx_hash: z.string() }),
        "select tx_hash from deposits order by tx_hash",
        [],
      ),
    /** A node with `said` as its answers about some blocks, and otherwise its own. */
    saying: (
      node: ChainNode,
      said: (height: bigint) => Awaited<ReturnType<NonNullable<ChainNode["arrivals"]>>> | undefined,
    ): ChainNode => ({
      ...node,
      arrivals: async (height, areOurs, arePayers) =>
        said(height) ?? node.arrivals?.(height, areOurs, arePayers) ?? fail("ServiceUnavailable"),
    }),
    tooLarge: () => fail("BlockTooLarge", { network: wallet.network }),
  };
};

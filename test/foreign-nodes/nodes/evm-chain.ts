import { TEST_SECRET_KEY } from "@conclave/chains/testing";
import { z } from "zod";
import { EVM_DRIVER } from "../drivers/evm.ts";
import { EVM_RULES } from "../fronts/evm-rules.ts";
import type { ForeignKind, RunningNode, WhichChain } from "../node.ts";
import { askJsonRpc } from "./json-rpc.ts";

const ETHER = 10n ** 18n;
/** in wei, the highest fee of a transaction */
const FEE_CAP = String(ETHER / 10n);
/** blocks until a landed transaction is final by each node's entry, plus one */
const FINAL_BLOCKS = 4;
const TEST_MS = 120_000;

/** anvil's first account, from which every chain here pays. */
export const RICH_KEY: `0x${string}` = `0x${TEST_SECRET_KEY}`;

export const chainIdOf = (own: number, which: WhichChain): number => (which === "ours" ? own : own + 1_000);

/** Facts common to all EVM nodes. */
export const EVM_KIND = {
  makesBlocks: false,
  funds: 10n * ETHER,
  suite: {
    file: "Evm",
    finalAfter: FINAL_BLOCKS,
    outlivedAfter: FINAL_BLOCKS,
    testMs: TEST_MS,
  },
  driver: EVM_DRIVER,
  rules: EVM_RULES,
  expires: false,
} as const satisfies Partial<ForeignKind>;

/** An EVM network's entry. `finality` is absent if the node's own `finalized` block lags behind its head. */
export const evmEntry =
  (chainId: number, own: { readonly confirmations: number; readonly finality?: "depth" }) =>
  (network: string, rpcUrl: string): ReturnType<RunningNode["entry"]> => ({
    network,
    family: "Evm",
    ...{ chainId, rpcUrl, feeCap: FEE_CAP, ...own },
  });

export const evmVersion = async (url: string): Promise<string> =>
  z.string().parse(await askJsonRpc(url, "web3_clientVersion"));

export const answersChainId = async (url: string, chainId: number): Promise<boolean> =>
  Number(await askJsonRpc(url, "eth_chainId")) === chainId;

export const weiOf = (amount: bigint): string => `0x${amount.toString(16)}`;

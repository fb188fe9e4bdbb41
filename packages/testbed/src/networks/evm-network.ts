import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { networkSchema } from "@conclave/custody";
import { isAddress, numberToHex } from "viem/utils";
import { z } from "zod";
import { anvilBinary } from "../host/binaries.ts";
import { LaunchError } from "../launch-error.ts";
import { type ChainMove, type ChainTip, chainTip } from "./chain-move.ts";
import type { LocalNetwork } from "./local-network.ts";

const STOP_DEADLINE_MS = 5_000;
/**
 * Seconds between two writes of the state file. Without this setting, anvil writes the file only at a graceful end, not
 * at a crash.
 */
const STATE_INTERVAL_S = 2;
const ETHER_DECIMALS = 18;
const ETHER = 10n ** BigInt(ETHER_DECIMALS);

export interface EvmRow {
  readonly network: string;
  readonly chainId: number;
  /** whole coins, as a decimal: far above the fee of an ordinary transfer, but low enough to limit the cost of a mistake */
  readonly feeCap: "0.1" | "1" | "10";
  readonly price: LocalNetwork["price"];
  /** the name of the network's process, unless it is derived from the network */
  readonly process?: string;
}

const ANSWER_MS = 5_000;
/** Timeout of a call that makes blocks. */
const BLOCKS_MS = 60_000;

const answerSchema = z.object({ result: z.unknown(), error: z.object({ message: z.string() }).optional() });

const ask = async (
  url: string,
  method: string,
  params: readonly unknown[],
  deadlineMs = ANSWER_MS,
): Promise<unknown> => {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(deadlineMs),
  });
  const { result, error } = answerSchema.parse(await answer.json());
  if (error === undefined) return result;
  throw new LaunchError(`the node refuses ${method}: ${error.message}`, "See the node's log.");
};

/** Whether an EVM node with this chain id answers at a URL. */
const answersChainId = async (rpcUrl: string, chainId: number): Promise<boolean> => {
  try {
    return Number(await ask(rpcUrl, "eth_chainId", [])) === chainId;
  } catch {
    return false;
  }
};

const giveEther = async (url: string, address: string, amount: bigint): Promise<void> => {
  if (!isAddress(address)) {
    throw new LaunchError(
      `${address} is no EVM address`,
      "Give the address of the wallet: 0x and 40 hex digits.",
    );
  }
  const balance = BigInt(String(await ask(url, "eth_getBalance", [address, "latest"])));
  await ask(url, "anvil_setBalance", [address, numberToHex(balance + amount)]);
};

const blockSchema = z.object({ number: z.string(), timestamp: z.string() });

const latestBlock = async (url: string): Promise<ChainTip> => {
  const { number, timestamp } = blockSchema.parse(await ask(url, "eth_getBlockByNumber", ["latest", false]));
  return chainTip(Number(number), Number(timestamp));
};

const moveAnvil = async (url: string, move: ChainMove): Promise<ChainTip> => {
  switch (move.kind) {
    case "mine":
      await ask(url, "anvil_mine", [numberToHex(move.blocks)], BLOCKS_MS);
      break;
    case "advance":
      await ask(url, "evm_increaseTime", [move.seconds]);
      await ask(url, "evm_mine", []);
      break;
    case "reorganise":
      await reorganiseAnvil(url, move.blocks);
      break;
  }
  return latestBlock(url);
};

/** anvil puts empty blocks in place of the undone ones, and drops their transactions. */
const reorganiseAnvil = async (url: string, blocks: number): Promise<void> => {
  const { height } = await latestBlock(url);
  if (blocks > height) {
    throw new LaunchError(
      `the chain has ${height} blocks above its first, and the first stays`,
      "Replace so many at the most.",
    );
  }
  await ask(url, "anvil_reorg", [blocks, []], BLOCKS_MS);
};

const feeCapWei = (feeCap: EvmRow["feeCap"]): bigint =>
  feeCap === "0.1" ? ETHER / 10n : BigInt(feeCap) * ETHER;

/**
 * An EVM network whose local node is an anvil with the network's chain id, so that wallets sign the same bytes as on the
 * network itself.
 */
export const evmNetwork = ({ network, chainId, feeCap, price, process: name }: EvmRow): LocalNetwork => ({
  network: networkSchema.parse(network),
  family: "Evm",
  decimals: ETHER_DECIMALS,
  price,
  chainSettings: {},
  process: name ?? `anvil-${network}`,
  entry: (rpcUrl) => ({
    network,
    family: "Evm",
    chainId,
    rpcUrl,
    confirmations: 1,
    // the development chain marks a block final only after 64 more blocks
    finality: "depth",
    feeCap: String(feeCapWei(feeCap)),
  }),
  spec: ({ folder, logFile, port, blockTimeSeconds }) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const options: Readonly<Record<string, string | number>> = {
      host: "127.0.0.1",
      port,
      "chain-id": chainId,
      "block-time": blockTimeSeconds,
      // reduces the lag of "safe" and "finalized" from 32 and 64 blocks to 1 and 2
      "slots-in-an-epoch": 1,
      state: join(folder, "state.json"),
      "state-interval": STATE_INTERVAL_S,
    };
    return {
      name: name ?? `anvil-${network}`,
      command: anvilBinary(),
      args: [...Object.entries(options).flatMap(([key, value]) => [`--${key}`, String(value)]), "--quiet"],
      env: { PATH: process.env["PATH"] ?? "", HOME: folder },
      cwd: folder,
      logFile,
      stopSignal: "SIGTERM",
      stopDeadlineMs: STOP_DEADLINE_MS,
    };
  },
  answers: ({ url }) => answersChainId(url, chainId),
  fund: ({ url }, address, amount) => giveEther(url, address, amount),
  finality: undefined,
  move: ({ url }, move) => moveAnvil(url, move),
});

import type { Arrival } from "@conclave/chains";
import type { EvmNetwork } from "@conclave/chains/evm";
import { SEPOLIA } from "@conclave/chains/testing";
import { type Asset, fail, ok, type Result } from "@conclave/custody";
import type { ReadableChain } from "../dependencies.ts";

export interface ScriptedChain extends ReadableChain {
  readonly network: EvmNetwork;
  /** Sets a transaction, and the movements of its block, which is 7; the newest final block is 7 too until `setFinalHeight`. */
  setIncluded(txHash: string, arrivals: readonly Arrival[]): void;
  /** Sets the height of the newest final block. */
  setFinalHeight(height: bigint): void;
  /** Makes the node forget what its blocks brought. */
  forgetBlocks(): void;
  /** Sets the number of transactions that every account has sent. */
  setCount(count: number): void;
  /** Sets the token's own metadata. */
  setToken(contract: string, asset: Asset): void;
  /** Sets the balance of every account in a token; without a contract, in the native coin. */
  setBalance(balance: bigint, contract?: string): void;
  /** Sets the owner of every non-fungible token. */
  setOwner(owner: string): void;
  /** Makes the node unavailable, or available again. */
  setAway(isAway: boolean): void;
}

/** The block of every transaction. */
const HEIGHT = 7n;

type Said = <T>(value: T) => Result<T>;

/** The part of a scripted chain that tells of blocks and their transactions. */
const scriptedBlocks = (
  said: Said,
): Pick<
  ScriptedChain,
  "ofChain" | "head" | "sight" | "arrivals" | "setIncluded" | "setFinalHeight" | "forgetBlocks"
> => {
  const included = new Map<string, readonly Arrival[]>();
  let finalHeight = HEIGHT;
  let isForgotten = false;
  return {
    ofChain: async () => said(String(SEPOLIA.chainId)),
    head: async () => said({ height: 9n, hash: "0x", confirmedHeight: finalHeight, finalHeight }),
    sight: async (txHash) =>
      said(
        included.has(txHash)
          ? { kind: "included", height: HEIGHT, blockHash: "0x", isFinal: true, fee: 0n, succeeded: true }
          : { kind: "unknown" },
      ),
    arrivals: async (_height, areOurs, arePayers) => {
      const seen = [...included.values()].flat();
      const ours = await areOurs(seen.map(({ moved }) => moved.to));
      const payers = await arePayers?.(seen.flatMap(({ from }) => from ?? []));
      const kept = seen.filter(({ moved, from }) => ours.has(moved.to) || payers?.has(from ?? "") === true);
      return said(isForgotten ? undefined : kept);
    },
    setIncluded: (txHash, arrivals) => {
      included.set(txHash, arrivals);
    },
    setFinalHeight: (height) => {
      finalHeight = height;
    },
    forgetBlocks: () => {
      isForgotten = true;
    },
  };
};

/** A chain whose answers the test sets. */
export const makeScriptedChain = (): ScriptedChain => {
  let sent = 0;
  const tokens = new Map<string, Asset>();
  const balances = new Map<string, bigint>();
  let owner: string | undefined;
  let isAway = false;
  const said = <T>(value: T): Result<T> => (isAway ? fail("ServiceUnavailable") : ok(value));
  const fees = { maxFeePerGas: "3", maxPriorityFeePerGas: "1" };
  return {
    ...scriptedBlocks(said),
    balance: async () => said(balances.get("") ?? 0n),
    tokenBalance: async (_owner, contract) => said(balances.get(contract.toLowerCase())),
    tokenOwner: async () => said(owner),
    feeLevels: async () =>
      said({ kind: "Eip1559", blockNumber: 7, baseFeePerGas: "2", slow: fees, standard: fees, fast: fees }),
    // a contract reverts when it is called without data
    callContract: async (_contract, data) => (data === "0x" ? fail("ExecutionReverted") : said(data)),
    callFunction: async (_contract, { name }) => (name === "fails" ? fail("ExecutionReverted") : said(name)),
    setBalance: (balance, contract = "") => {
      balances.set(contract.toLowerCase(), balance);
    },
    setOwner: (address) => {
      owner = address;
    },
    setAway: (away) => {
      isAway = away;
    },
    network: { ...SEPOLIA, family: "Evm", rpcUrl: "http://127.0.0.1:9", confirmations: 1 },
    nextSequence: async () => ok(BigInt(sent)),
    describeToken: async (contract) => ok(tokens.get(contract.toLowerCase()) ?? {}),
    setCount: (count) => {
      sent = count;
    },
    setToken: (contract, asset) => {
      tokens.set(contract.toLowerCase(), asset);
    },
  };
};

import { SEPOLIA } from "@conclave/chains/testing";
import { type Asset, ok } from "@conclave/custody";
import type { ReadableChain } from "../dependencies.ts";

export interface ScriptedChain extends ReadableChain {
  /** How many transactions every account has sent from now on. */
  setCount(count: number): void;
  /** What the token says of itself from now on. */
  setToken(contract: string, asset: Asset): void;
}

/** A chain that says what a test wants. */
export const makeScriptedChain = (): ScriptedChain => {
  let sent = 0;
  const tokens = new Map<string, Asset>();
  return {
    network: { ...SEPOLIA, family: "Evm", rpcUrl: "http://127.0.0.1:9", confirmations: 1 },
    count: async () => ok({ mined: sent, pending: sent }),
    describeToken: async (contract) => ok(tokens.get(contract.toLowerCase()) ?? {}),
    setCount: (count) => {
      sent = count;
    },
    setToken: (contract, asset) => {
      tokens.set(contract.toLowerCase(), asset);
    },
  };
};

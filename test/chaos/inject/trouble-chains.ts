import type { ChainFailure, Heal } from "@conclave/chaos";
import { commandLedger } from "@conclave/ledgers/testing";
import { type Cluster, waitUntil } from "@conclave/testbed";
import { createTestClient, http } from "viem";
import { overloadContracts } from "./overload-contracts.ts";
import { FIRST_NETWORK } from "./process-names.ts";

/** The most refusals that can be ordered from a ledger; no test sends that many transactions. */
const REFUSALS = 10_000;
/** Words that a chain's client takes for a permanent refusal. The words for other chains mean a temporary one. */
const FINAL_WORDS: Readonly<Record<string, string>> = { Bitcoin: "scriptpubkey" };
const NOT_NOW = "not now";
const NOTHING: Heal = async () => undefined;
/** Longest wait for a killed node to restart and take an order. */
const START_MS = 20_000;

const onAnvil = async (cluster: Cluster, failure: ChainFailure): Promise<Heal> => {
  // viem has no functions for these calls of anvil
  const control = createTestClient({ mode: "anvil", transport: http(cluster.description.chain.rpcUrl) });
  switch (failure.kind) {
    case "reorganise":
      // the undone blocks' transactions are dropped, as by a node that does not return them to its pool
      await control.request<{ Method: string; Parameters: [number, []]; ReturnType: null }>({
        method: "anvil_reorg",
        params: [failure.blocks, []],
      });
      return NOTHING;
    case "forget":
      await control.request<{ Method: string; Parameters: []; ReturnType: null }>({
        method: "anvil_dropAllTransactions",
        params: [],
      });
      return NOTHING;
    case "hold":
      await cluster.chain.holdBlocks();
      return () => cluster.chain.releaseBlocks();
    case "refuse":
      await cluster.chain.refuseTransactions();
      return () => cluster.chain.takeTransactions();
    case "overload":
      return overloadContracts(cluster);
  }
};

const onLedger = async (
  ledger: { readonly network: string; readonly adminUrl: string },
  failure: ChainFailure,
): Promise<Heal> => {
  const serves = () => fetch(ledger.adminUrl).catch(() => undefined);
  await waitUntil(serves, { what: "the node to serve", deadlineMs: START_MS });
  switch (failure.kind) {
    case "reorganise":
      await commandLedger(ledger, "reorg", { depth: failure.blocks });
      return NOTHING;
    case "forget":
      await commandLedger(ledger, "drop");
      return NOTHING;
    case "hold":
      await commandLedger(ledger, "hold");
      return async () => void (await commandLedger(ledger, "resume"));
    case "refuse": {
      const message = FINAL_WORDS[ledger.network] ?? NOT_NOW;
      await commandLedger(ledger, "refuse", { count: REFUSALS, message });
      // the smallest possible order: one more submission is refused, and then sent again
      return async () => void (await commandLedger(ledger, "refuse", { count: 1, message: NOT_NOW }));
    }
    case "overload":
      throw new Error("only contracts of EthereumSepolia are asked for that much");
  }
};

/** Makes a chain or its node misbehave as a fault says. */
export const troubleChain = async (
  cluster: Cluster,
  network: string,
  failure: ChainFailure,
): Promise<Heal> => {
  if (network === FIRST_NETWORK) return onAnvil(cluster, failure);
  const served = cluster.description.networks.find((one) => one.network === network);
  if (served === undefined) throw new Error(`${network} has no node here`);
  return onLedger(served, failure);
};

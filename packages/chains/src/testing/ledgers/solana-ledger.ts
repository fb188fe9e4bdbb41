import { makeAgaveGenesis } from "@conclave/ledgers/genesis";
import { base64 } from "@scure/base";
import type { SolanaNetwork } from "../../solana/network.ts";
import { rpcCallOf } from "../scripted-node.ts";
import { SOLANA_DEVNET, SOLANA_SENDER } from "../solana-samples.ts";
import { LEDGER_SEED, openScriptedLedger, type ScriptedLedger } from "./scripted-ledger.ts";

const CHAIN = "conclave";
/** Blocks until one is final, with the one that is confirmed last. */
export const SOLANA_FINAL = 33;

/** The entry of the networks file for a ledger of `openSolanaLedger` at this URL. */
export const solanaEntryAt = (solanaUrl: string): SolanaNetwork => ({
  ...SOLANA_DEVNET,
  genesisHash: makeAgaveGenesis(CHAIN, LEDGER_SEED).hash,
  solanaUrl,
});

/** An account as its node shows it. */
export interface ShownSolanaAccount {
  readonly lamports: bigint;
  readonly owner: string;
  readonly data: Uint8Array;
  readonly executable?: boolean;
}

export interface ScriptedSolanaLedger extends ScriptedLedger {
  /** The node shows an account of a program that no transaction here can make. */
  shows(address: string, account: ShownSolanaAccount): void;
  /** Changes the result of a method. @param change undefined leaves it as it is */
  changes(method: string, change: (result: unknown, params: readonly unknown[]) => unknown): void;
}

/** A ledger of Solana on which the samples' sender has ten thousand SOL, in a block that is final. */
export const openSolanaLedger = async (): Promise<ScriptedSolanaLedger> => {
  const ledger = await openScriptedLedger("Solana", CHAIN);
  await ledger.fund(SOLANA_SENDER, 10_000_000_000_000);
  await ledger.mine(SOLANA_FINAL);
  const changes: ScriptedSolanaLedger["changes"] = (method, change) =>
    ledger.node.changes(method, (body, request) => {
      const result = change(body["result"], rpcCallOf(request).params);
      return result === undefined ? undefined : { ...body, result };
    });
  return {
    ...ledger,
    changes,
    shows: (address, { lamports, owner, data, executable = false }) =>
      changes("getMultipleAccounts", (found, [addresses]) => {
        const { value, ...context } = Object(found);
        const rentEpoch = 2n ** 64n - 1n;
        const shown = { lamports, owner, data: [base64.encode(data), "base64"], executable, rentEpoch };
        const at = [...Object(addresses)].indexOf(address);
        return at < 0 ? undefined : { ...context, value: [...value].with(at, shown) };
      }),
  };
};

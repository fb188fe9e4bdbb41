import { startAlgorandLedger } from "../algorand/http/start.ts";
import { startBitcoinLedger } from "../bitcoin/http/start.ts";
import { startSolanaLedger } from "../solana/http/start.ts";
import { startStellarLedger } from "../stellar/http/start.ts";
import { startTronLedger } from "../tron/http/start.ts";
import { startXrpLedger } from "../xrpl/http/start.ts";
import type { LedgerOptions, RunningLedger } from "./running-ledger.ts";

export interface LedgerKind {
  /** the chain's name, unless somebody wants another */
  readonly chain: string;
  /** milliseconds from block to block, unless somebody wants others */
  readonly blockMs: number;
  readonly start: (options: LedgerOptions) => Promise<RunningLedger>;
}

/** The chains that there is a ledger of. */
export const LEDGER_CHAINS = ["Algorand", "Bitcoin", "Solana", "Stellar", "Tron", "XrpLedger"] as const;

export const LEDGERS: Readonly<Record<(typeof LEDGER_CHAINS)[number], LedgerKind>> = {
  Algorand: { blockMs: 1_000, chain: "conclave-v1", start: startAlgorandLedger },
  Bitcoin: { blockMs: 10_000, chain: "regtest", start: startBitcoinLedger },
  Solana: { blockMs: 400, chain: "conclave", start: startSolanaLedger },
  Stellar: { blockMs: 1_000, chain: "Conclave ; development", start: startStellarLedger },
  Tron: { blockMs: 3_000, chain: "conclave-tron", start: startTronLedger },
  XrpLedger: { blockMs: 4_000, chain: "20261", start: startXrpLedger },
};

import { startAlgorandLedger } from "../algorand/http/start.ts";
import { startStellarLedger } from "../stellar/http/start.ts";
import type { LedgerOptions, RunningLedger } from "./running-ledger.ts";

export interface LedgerKind {
  /** milliseconds from block to block, unless somebody wants others */
  readonly blockMs: number;
  readonly start: (options: LedgerOptions) => Promise<RunningLedger>;
}

/** The chains that there is a ledger of. */
export const LEDGER_CHAINS = ["Algorand", "Stellar"] as const;

export const LEDGERS: Readonly<Record<(typeof LEDGER_CHAINS)[number], LedgerKind>> = {
  Algorand: { blockMs: 1_000, start: startAlgorandLedger },
  Stellar: { blockMs: 1_000, start: startStellarLedger },
};

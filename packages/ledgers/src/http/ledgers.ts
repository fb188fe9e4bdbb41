import { startAlgorandLedger } from "../algorand/http/start.ts";
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
export const LEDGER_CHAINS = ["Algorand", "XrpLedger"] as const;

export const LEDGERS: Readonly<Record<(typeof LEDGER_CHAINS)[number], LedgerKind>> = {
  Algorand: { chain: "conclave-v1", blockMs: 1_000, start: startAlgorandLedger },
  XrpLedger: { chain: "20261", blockMs: 4_000, start: startXrpLedger },
};

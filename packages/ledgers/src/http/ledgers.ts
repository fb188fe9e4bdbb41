import type { LedgerOptions, RunningLedger } from "./running-ledger.ts";

export interface LedgerKind {
  /** the default of the chain's name */
  readonly chain: string;
  /** the default interval between blocks, in milliseconds */
  readonly blockMs: number;
  readonly start: (options: LedgerOptions) => Promise<RunningLedger>;
}

/** The chains that have a simulated ledger. */
export const LEDGER_CHAINS = ["Algorand", "Bitcoin", "Solana", "Stellar", "Tron", "XrpLedger"] as const;

type Start = LedgerKind["start"];

/** Defers loading of a ledger's code and SDK until it starts, because a process runs only one ledger. */
const loaded =
  (load: () => Promise<Start>): Start =>
  async (options) =>
    (await load())(options);

export const LEDGERS: Readonly<Record<(typeof LEDGER_CHAINS)[number], LedgerKind>> = {
  Algorand: {
    blockMs: 1_000,
    chain: "conclave-v1",
    start: loaded(async () => (await import("../algorand/http/start.ts")).startAlgorandLedger),
  },
  Bitcoin: {
    blockMs: 10_000,
    chain: "regtest",
    start: loaded(async () => (await import("../bitcoin/http/start.ts")).startBitcoinLedger),
  },
  Solana: {
    blockMs: 400,
    chain: "conclave",
    start: loaded(async () => (await import("../solana/http/start.ts")).startSolanaLedger),
  },
  Stellar: {
    blockMs: 1_000,
    chain: "Conclave ; development",
    start: loaded(async () => (await import("../stellar/http/start.ts")).startStellarLedger),
  },
  Tron: {
    blockMs: 3_000,
    chain: "conclave-tron",
    start: loaded(async () => (await import("../tron/http/start.ts")).startTronLedger),
  },
  XrpLedger: {
    blockMs: 4_000,
    chain: "20261",
    start: loaded(async () => (await import("../xrpl/http/start.ts")).startXrpLedger),
  },
};

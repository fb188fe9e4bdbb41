import {
  makeAgaveGenesis,
  makeAlgodGenesis,
  makeBitcoindGenesis,
  makeJavaTronGenesis,
} from "@conclave/ledgers/genesis";
import { testAccount, testEdwardsKey } from "../account.ts";
import { ALGORAND_TESTNET } from "../algorand-samples.ts";
import { BITCOIN_SIGNET } from "../bitcoin-samples.ts";
import { LEDGER_SEED } from "../ledgers/scripted-ledger.ts";
import { SOLANA_DEVNET } from "../solana-samples.ts";
import { STELLAR_TESTNET } from "../stellar-samples.ts";
import { TRON_NILE } from "../tron-samples.ts";
import { XRPL_TESTNET } from "../xrpl-samples.ts";
import type { LedgerCase } from "./ledger-chain.ts";

const MINUTE_MS = 60_000;

const paying =
  (more: object = {}): LedgerCase["transfer"] =>
  (from, to, amount) => ({ kind: "Native", from, to, amount: amount.toString(), ...more });

export const ALGORAND_CASE: LedgerCase = {
  ledger: "Algorand",
  chains: { ours: "conclave-v1", other: "conclave-v2" },
  entry: (chain, algodUrl) => ({
    ...ALGORAND_TESTNET,
    algodUrl,
    genesisId: chain,
    genesisHash: Buffer.from(makeAlgodGenesis(chain, LEDGER_SEED).hash).toString("base64"),
  }),
  at: (algodUrl) => ({ algodUrl }),
  keyOf: testEdwardsKey,
  amount: 1_500_000n,
  transfer: paying(),
  showsPool: true,
  blockMs: 3_000,
  includedAfter: 1,
  finalAfter: 1,
  // its last valid round is the 200th
  outlived: { ms: 0, blocks: 202 },
  fundedAfter: 1,
  reorganises: false,
};

export const BITCOIN_CASE: LedgerCase = {
  ledger: "Bitcoin",
  chains: { ours: "signet", other: "testnet4" },
  entry: (chain, bitcoindUrl) => ({
    ...BITCOIN_SIGNET,
    bitcoindUrl,
    bitcoindUser: "conclave",
    bitcoindPassword: "a long one",
    genesisHash: makeBitcoindGenesis(chain, LEDGER_SEED).block.hash,
  }),
  at: (bitcoindUrl) => ({ bitcoindUrl }),
  token: "conclave:a long one",
  keyOf: testAccount,
  amount: 120_000n,
  transfer: paying(),
  showsPool: true,
  blockMs: 10 * MINUTE_MS,
  includedAfter: 1,
  finalAfter: 6,
  outlived: { ms: 0, blocks: 7 },
  fundedAfter: 1,
  reorganises: true,
};

export const SOLANA_CASE: LedgerCase = {
  ledger: "Solana",
  chains: { ours: "conclave", other: "elsewhere" },
  entry: (chain, solanaUrl) => ({
    ...SOLANA_DEVNET,
    solanaUrl,
    genesisHash: makeAgaveGenesis(chain, LEDGER_SEED).hash,
  }),
  at: (solanaUrl) => ({ solanaUrl }),
  keyOf: testEdwardsKey,
  amount: 1_500_000_000n,
  transfer: paying(),
  // a node shows a transaction only once it is in a block
  showsPool: false,
  blockMs: 400,
  // a block is confirmed once the next block builds on it
  includedAfter: 3,
  finalAfter: 33,
  // 151 blocks in which it could land, and 32 until the last of them is final
  outlived: { ms: 0, blocks: 190 },
  fundedAfter: 33,
  reorganises: true,
};

export const STELLAR_CASE: LedgerCase = {
  ledger: "Stellar",
  chains: { ours: "Conclave ; tests", other: "Conclave ; elsewhere" },
  entry: (passphrase, horizonUrl) => ({ ...STELLAR_TESTNET, passphrase, horizonUrl, feeCap: "10000000" }),
  at: (horizonUrl) => ({ horizonUrl }),
  keyOf: testEdwardsKey,
  amount: 15_000_000n,
  transfer: paying(),
  showsPool: true,
  blockMs: 5_000,
  includedAfter: 1,
  finalAfter: 1,
  outlived: { ms: 6 * MINUTE_MS, blocks: 1 },
  fundedAfter: 1,
  reorganises: false,
};

export const TRON_CASE: LedgerCase = {
  ledger: "Tron",
  chains: { ours: "conclave-tron", other: "elsewhere" },
  entry: (chain, fullNodeUrl) => ({
    ...TRON_NILE,
    fullNodeUrl,
    genesisBlock: makeJavaTronGenesis(chain, LEDGER_SEED).block.id,
  }),
  at: (fullNodeUrl) => ({ fullNodeUrl }),
  keyOf: testAccount,
  amount: 1_500_000n,
  transfer: paying(),
  showsPool: true,
  blockMs: 3_000,
  includedAfter: 1,
  finalAfter: 27,
  // a block is solid once 18 of 27 witnesses have built on it
  outlived: { ms: 6 * MINUTE_MS, blocks: 30 },
  fundedAfter: 1,
  reorganises: true,
};

export const XRPL_CASE: LedgerCase = {
  ledger: "XrpLedger",
  chains: { ours: "20261", other: "20262" },
  entry: (chain, rippledUrl) => ({ ...XRPL_TESTNET, rippledUrl, networkId: Number(chain) }),
  at: (rippledUrl) => ({ rippledUrl }),
  keyOf: testAccount,
  amount: 1_500_000n,
  transfer: paying({ tag: 7 }),
  showsPool: true,
  blockMs: 4_000,
  includedAfter: 1,
  finalAfter: 1,
  // its last valid ledger is the 50th
  outlived: { ms: 0, blocks: 52 },
  fundedAfter: 1,
  reorganises: false,
};

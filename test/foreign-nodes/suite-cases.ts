import { SEPOLIA, testAccount, testEdwardsKey } from "@conclave/chains/testing";
import {
  ALGORAND_CASE,
  BITCOIN_CASE,
  type OpenTriedChain,
  openLedgerChain,
  type ReadChainRecord,
  readAlgorandRecord,
  readBitcoinRecord,
  readEvmRecord,
  readTronRecord,
  TRON_CASE,
  type TriedChain,
} from "@conclave/chains/testing/conformance";
import type { SuiteFile } from "./node.ts";

/** The facts about a chain family that the conformance suite needs. */
export interface SuiteCase extends Pick<TriedChain, "keyOf" | "amount" | "transfer" | "showsPool"> {
  /** the network of the suite's wallet addresses */
  readonly network: string;
  /** the field of a registry entry that holds the node's address */
  readonly urlField: string;
  /** reads what a node has on record of a payment */
  readonly record: ReadChainRecord;
  /** the family's other network: the simulated ledger, for families whose foreign node is started only once */
  readonly other?: OpenTriedChain;
}

const ETHER = 10n ** 18n;

/** The families that a foreign node may be of. */
export const SUITE_CASES: Readonly<Record<SuiteFile, SuiteCase>> = {
  Evm: {
    network: SEPOLIA.network,
    urlField: "rpcUrl",
    record: readEvmRecord,
    keyOf: testAccount,
    amount: ETHER,
    transfer: (_from, to, amount) => ({ kind: "Native", to: to.toLowerCase(), amount: amount.toString() }),
    showsPool: true,
  },
  Bitcoin: {
    ...BITCOIN_CASE,
    network: "BitcoinSignet",
    urlField: "bitcoindUrl",
    record: readBitcoinRecord,
    other: openLedgerChain(BITCOIN_CASE),
  },
  Tron: {
    ...TRON_CASE,
    network: "TronNile",
    urlField: "fullNodeUrl",
    record: readTronRecord,
    other: openLedgerChain(TRON_CASE),
  },
  Algorand: {
    ...ALGORAND_CASE,
    keyOf: testEdwardsKey,
    network: "AlgorandTestnet",
    urlField: "algodUrl",
    record: readAlgorandRecord,
    other: openLedgerChain(ALGORAND_CASE),
  },
};

import { SEPOLIA, testAccount, testEdwardsKey } from "@conclave/chains/testing";
import {
  ALGORAND_CASE,
  BITCOIN_CASE,
  type OpenTriedChain,
  openLedgerChain,
  TRON_CASE,
  type TriedChain,
} from "@conclave/chains/testing/conformance";
import type { SuiteFile } from "./node.ts";

/** The facts of a family that the conformance suite needs. */
export interface SuiteCase extends Pick<TriedChain, "keyOf" | "amount" | "transfer" | "showsPool"> {
  /** the network whose addresses the suite's wallets have */
  readonly network: string;
  /** the field of an entry that names the node's address */
  readonly urlField: string;
  /** the other chain of the family, where its nodes are not started twice: the ledger's, which is a stranger to them */
  readonly other?: OpenTriedChain;
}

const ETHER = 10n ** 18n;

/** The families that a foreign node may be of. */
export const SUITE_CASES: Readonly<Record<SuiteFile, SuiteCase>> = {
  Evm: {
    network: SEPOLIA.network,
    urlField: "rpcUrl",
    keyOf: testAccount,
    amount: ETHER,
    transfer: (_from, to, amount) => ({ kind: "Native", to: to.toLowerCase(), amount: amount.toString() }),
    showsPool: true,
  },
  Bitcoin: {
    ...BITCOIN_CASE,
    network: "BitcoinSignet",
    urlField: "bitcoindUrl",
    other: openLedgerChain(BITCOIN_CASE),
  },
  Tron: { ...TRON_CASE, network: "TronNile", urlField: "fullNodeUrl", other: openLedgerChain(TRON_CASE) },
  Algorand: {
    ...ALGORAND_CASE,
    keyOf: testEdwardsKey,
    network: "AlgorandTestnet",
    urlField: "algodUrl",
    other: openLedgerChain(ALGORAND_CASE),
  },
};

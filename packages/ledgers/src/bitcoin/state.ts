import { NO_FAULTS, type SubmissionFaults } from "../submission-faults.ts";
import { type BitcoindChain, openChain } from "./chain/chain.ts";
import { type BitcoindFees, DEFAULT_BITCOIND_FEES } from "./fees.ts";
import type { BitcoindGenesis } from "./genesis.ts";
import { type BitcoindMempool, EMPTY_MEMPOOL } from "./mempool/mempool.ts";

export interface BitcoindState {
  readonly genesis: BitcoindGenesis;
  readonly chain: BitcoindChain;
  readonly mempool: BitcoindMempool;
  readonly fees: BitcoindFees;
  readonly faults: BitcoindFaults;
  /** how many blocks were ever made: the count makes each block unique */
  readonly blocksMade: number;
}

/** The faults that an operator arranged. */
export interface BitcoindFaults extends SubmissionFaults {
  /** the JSON-RPC error code of these refusals */
  readonly refusalCode: number;
  /** how many calls, of any method, are answered as by a node that is still starting */
  readonly warmUps: number;
}

const NO_BITCOIND_FAULTS: BitcoindFaults = { ...NO_FAULTS, refusalCode: -26, warmUps: 0 };

/** A ledger with its genesis block, which holds the faucet's outputs. */
export const openBitcoinLedger = (genesis: BitcoindGenesis): BitcoindState => ({
  genesis,
  chain: openChain(genesis.block),
  mempool: EMPTY_MEMPOOL,
  fees: DEFAULT_BITCOIND_FEES,
  faults: NO_BITCOIND_FAULTS,
  blocksMade: 0,
});

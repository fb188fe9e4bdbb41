import { LedgerHost } from "../host.ts";
import { ledgerJson } from "../json.ts";
import { addressPaidBy, scriptPaying } from "./address.ts";
import { advanceBitcoin, type BitcoindEffect, type BitcoindEvent } from "./advance.ts";
import { answerRpc, PARSE_ERROR } from "./bitcoind/rpc.ts";
import type { BitcoindBlock } from "./chain/block.ts";
import { latestBitcoindBlock } from "./chain/chain.ts";
import { bitcoinFaucetPayment } from "./faucet.ts";
import { makeBitcoindGenesis } from "./genesis.ts";
import { PastStates } from "./past-states.ts";
import { openBitcoinLedger } from "./state.ts";

const REFUSED_STATUS = 500;
const NO_TIMER = (): (() => void) => () => undefined;

export interface MemoryBitcoindOptions {
  /** milliseconds since 1970 */
  readonly nowMs: () => number;
  /** as bitcoind's `-chain`, such as "signet" */
  readonly chain: string;
  /** of genesis block and faucet */
  readonly seed: string;
  /** for how long earlier states are kept, for answers of a node that is behind, milliseconds; 0 where it is left out */
  readonly keptMs?: number;
}

/** An output of a transaction in a block. */
export interface PaidOutput {
  readonly txid: string;
  /** undefined where the script has none */
  readonly address: string | undefined;
  /** satoshis */
  readonly amount: bigint;
}

/** A Bitcoin node in memory. It opens no port and has no timer: only its clients and these controls change it. */
export interface MemoryBitcoind {
  /** the id of the first block */
  readonly genesisHash: string;
  /**
   * Answers the body of a POST request of JSON-RPC, as a node does over HTTP.
   * @param behindMs the node shows what others showed so long ago, at most `keptMs`, and passes submissions on at once; 0 where it is left out
   */
  readonly answer: (body: string, behindMs?: number) => { readonly text: string; readonly status: number };
  readonly height: () => number;
  /** ids of the transactions in the pool */
  readonly waiting: () => readonly string[];
  /** the outputs of all transactions of the chain but for rewards, lowest block first */
  readonly paid: () => readonly PaidOutput[];
  /** Makes a block of the pool. */
  readonly mine: () => void;
  /** Sends a payment of the faucet to the pool, with an output for each amount. @throws where it is refused */
  readonly fund: (address: string, amounts: readonly bigint[]) => void;
  /** Forgets the pool. */
  readonly drop: () => void;
  /** Replaces the latest blocks by a branch of empty blocks that is longer by one; their transactions wait again. */
  readonly reorganise: (depth: number) => void;
  /** Refuses the next submissions with these words; 0 ends that. */
  readonly refuse: (count: number, words: string) => void;
}

/** Opens a node whose chain has its first block alone. Equal options and calls give equal nodes. */
export const openMemoryBitcoind = ({
  nowMs,
  chain,
  seed,
  keptMs = 0,
}: MemoryBitcoindOptions): MemoryBitcoind => {
  const genesis = makeBitcoindGenesis(chain, seed);
  const host = new LedgerHost({
    state: openBitcoinLedger(genesis),
    advance: advanceBitcoin,
    clock: { now: nowMs, every: NO_TIMER, after: NO_TIMER },
  });
  const seconds = (): number => Math.floor(host.now / 1_000);
  const past = new PastStates(keptMs, host.now, host.state);
  const apply = (event: BitcoindEvent): readonly BitcoindEffect[] => {
    const effects = host.apply(event);
    past.keep(host.now, host.state);
    return effects;
  };
  const viewOf = (behindMs: number) => ({
    get state() {
      return behindMs === 0 ? host.state : past.at(host.now - behindMs);
    },
    get now() {
      return seconds();
    },
    apply,
  });
  const outputs = rememberedOutputs((script) => addressPaidBy(script, genesis.network));
  return {
    genesisHash: genesis.block.hash,
    answer: (body, behindMs = 0) => {
      const request = parsed(body);
      const { body: said, status } =
        request === undefined ? PARSE_ERROR : answerRpc(viewOf(behindMs), request);
      return { text: said === undefined ? "" : ledgerJson(said), status };
    },
    height: () => latestBitcoindBlock(host.state.chain).height,
    waiting: () => [...host.state.mempool.entries.keys()],
    paid: () => host.state.chain.blocks.flatMap(outputs),
    mine: () => void apply({ kind: "mine", time: seconds(), rewardScript: undefined }),
    fund: (address, amounts) => {
      const script = scriptPaying(address, genesis.network);
      const bytes = script && bitcoinFaucetPayment(host.state, script, amounts);
      if (bytes === undefined) throw new RangeError(`the faucet cannot pay ${address}`);
      const submission = { bytes, maxFeeRate: 0n, maxBurn: 0n, time: seconds() };
      demand(apply({ kind: "submit", submission }));
    },
    drop: () => demand(apply({ kind: "drop", txid: undefined })),
    reorganise: (depth) => demand(apply({ kind: "reorg", depth, time: seconds() })),
    refuse: (count, message) => {
      const refusals = { count, message, status: REFUSED_STATUS };
      apply({ kind: "set-faults", faults: { ...host.state.faults, refusals } });
    },
  };
};

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** @throws for a refusal */
const demand = (effects: readonly BitcoindEffect[]): void => {
  for (const effect of effects) if (effect.kind === "refused") throw new RangeError(effect.message);
};

/** The outputs of a block, read once: blocks do not change. */
const rememberedOutputs = (addressOf: (script: Uint8Array) => string | undefined) => {
  const known = new WeakMap<BitcoindBlock, readonly PaidOutput[]>();
  return (block: BitcoindBlock): readonly PaidOutput[] => {
    const found =
      known.get(block) ??
      block.transactions
        .slice(1)
        .flatMap(({ txid, outputs }) =>
          outputs.map(({ amount, script }) => ({ txid, address: addressOf(script), amount })),
        );
    known.set(block, found);
    return found;
  };
};

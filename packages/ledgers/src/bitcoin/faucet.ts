import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bucketEntries } from "./bucket-map.ts";
import { latestBitcoindBlock } from "./chain/chain.ts";
import { feeAt, highestRate } from "./fee-rate.ts";
import { spenderOf } from "./mempool/mempool.ts";
import { dustThresholdOf } from "./rules/standard.ts";
import { keyHashScript } from "./script/make.ts";
import { kindOfScript } from "./script/script-kind.ts";
import { segwitSpendDigest } from "./signature/segwit-digest.ts";
import type { BitcoindState } from "./state.ts";
import { wireTransaction } from "./transaction/encode.ts";
import type {
  BitcoindInput,
  BitcoindOutpoint,
  BitcoindOutput,
  BitcoindTransaction,
} from "./transaction/transaction.ts";

const REPLACEABLE = 0xfffffffd;
const MATURITY_BLOCKS = 100;
const SIGHASH_ALL = 1;
/** Virtual bytes that nothing of a faucet's payment exceeds. */
const [BASE_SIZE, INPUT_SIZE, OUTPUT_SIZE] = [11, 69, 43];

interface FaucetCoin extends BitcoindOutpoint {
  readonly amount: bigint;
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

/** What the faucet can spend: coins of the chain, the largest first, and then change that still waits. */
const faucetCoins = ({ chain, mempool, genesis }: BitcoindState): readonly FaucetCoin[] => {
  const { script } = genesis.faucet;
  const height = latestBitcoindBlock(chain).height + 1;
  const isFree = (outpoint: BitcoindOutpoint): boolean => spenderOf(mempool, outpoint) === undefined;
  const confirmed = [...bucketEntries(chain.coins)]
    .filter(([, coin]) => isSame(coin.script, script))
    .filter(([, coin]) => !coin.isReward || height - coin.height >= MATURITY_BLOCKS)
    .map(([key, { amount }]) => {
      const [txid = "", index = "0"] = key.split(":");
      return { txid, index: Number(index), amount };
    });
  const change = [...mempool.entries.values()].flatMap(({ transaction: { txid, outputs } }) =>
    outputs.flatMap((output, index) =>
      isSame(output.script, script) ? [{ txid, index, amount: output.amount }] : [],
    ),
  );
  const largestFirst = (one: FaucetCoin, other: FaucetCoin): number =>
    one.amount === other.amount
      ? one.txid + one.index < other.txid + other.index
        ? -1
        : 1
      : one.amount > other.amount
        ? -1
        : 1;
  return [...confirmed.filter(isFree).sort(largestFirst), ...change.filter(isFree)];
};

/** What every node and miner takes at this moment. @returns satoshis */
const feeFor = ({ fees, mempool }: BitcoindState, inputs: number): bigint => {
  const rate = highestRate(fees.minimumRelay, fees.minimumMined, mempool.floor);
  return feeAt(rate, BASE_SIZE + inputs * INPUT_SIZE + 2 * OUTPUT_SIZE);
};

/** The first coins that pay for it all. @returns undefined if all together do not */
const chosenCoins = (
  state: BitcoindState,
  amount: bigint,
): { readonly coins: readonly FaucetCoin[]; readonly change: bigint } | undefined => {
  let sum = 0n;
  const coins: FaucetCoin[] = [];
  for (const coin of faucetCoins(state)) {
    coins.push(coin);
    sum += coin.amount;
    const change = sum - amount - feeFor(state, coins.length);
    if (change >= 0n) return { coins, change };
  }
  return undefined;
};

const signedInput = (
  state: BitcoindState,
  transaction: BitcoindTransaction,
  at: number,
  amount: bigint,
): BitcoindInput => {
  const { script, secretKey, publicKey } = state.genesis.faucet;
  const kind = kindOfScript(script);
  const input = transaction.inputs[at];
  if (kind.kind !== "witness_v0_keyhash" || input === undefined)
    throw new RangeError("the faucet has P2WPKH coins");
  const digest = segwitSpendDigest(transaction, at, keyHashScript(kind.hash), amount, SIGHASH_ALL);
  const signature = secp256k1.sign(digest, secretKey, { prehash: false, lowS: true, format: "der" });
  return { ...input, witness: [Uint8Array.from([...signature, SIGHASH_ALL]), publicKey] };
};

/**
 * A payment out of the faucet, signed with its key: it takes the way of every other transaction.
 * @param script that the amount goes to
 * @param amount satoshis
 * @returns the bytes to submit; undefined if the faucet has too little
 */
export const bitcoinFaucetPayment = (
  state: BitcoindState,
  script: Uint8Array,
  amount: bigint,
): Uint8Array | undefined => {
  const chosen = chosenCoins(state, amount);
  if (chosen === undefined) return undefined;
  const change: BitcoindOutput = { amount: chosen.change, script: state.genesis.faucet.script };
  const unsigned: BitcoindTransaction = {
    version: 2,
    inputs: chosen.coins.map(({ txid, index }) => ({
      txid,
      index,
      script: new Uint8Array(),
      sequence: REPLACEABLE,
      witness: [],
    })),
    outputs: [{ amount, script }, ...(change.amount >= dustThresholdOf(change) ? [change] : [])],
    lockTime: 0,
  };
  const inputs = chosen.coins.map((coin, at) => signedInput(state, unsigned, at, coin.amount));
  return wireTransaction({ ...unsigned, inputs });
};

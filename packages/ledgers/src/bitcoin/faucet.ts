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
/** Upper bounds, in virtual bytes, for the parts of a faucet payment. */
const [BASE_SIZE, INPUT_SIZE, OUTPUT_SIZE] = [11, 69, 43];

interface FaucetCoin extends BitcoindOutpoint {
  readonly amount: bigint;
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

/** The confirmed outputs that the faucet can spend. */
const confirmedCoins = ({ chain, mempool, genesis }: BitcoindState): readonly FaucetCoin[] => {
  const { script } = genesis.faucet;
  const youngest = latestBitcoindBlock(chain).height + 1 - MATURITY_BLOCKS;
  const found: FaucetCoin[] = [];
  for (const [key, coin] of bucketEntries(chain.coins)) {
    if (!isSame(coin.script, script) || (coin.isReward && coin.height > youngest)) continue;
    if (mempool.spenders.has(key)) continue;
    const [txid = "", index = "0"] = key.split(":");
    found.push({ txid, index: Number(index), amount: coin.amount });
  }
  return found;
};

/** Unspent change of waiting faucet payments, oldest first. */
const waitingChange = ({ mempool, genesis }: BitcoindState): readonly FaucetCoin[] =>
  [...mempool.entries.values()].flatMap(({ transaction: { txid, outputs } }) =>
    outputs.flatMap(({ script, amount }, index) => {
      const isFree = spenderOf(mempool, { txid, index }) === undefined;
      return isFree && isSame(script, genesis.faucet.script) ? [{ txid, index, amount }] : [];
    }),
  );

const larger = (one: FaucetCoin, other: FaucetCoin): FaucetCoin => (other.amount > one.amount ? other : one);

/**
 * The order in which the faucet spends its outputs. If the largest pays for everything, only that one; otherwise the
 * largest first, and change last.
 */
const coinsInOrder = (state: BitcoindState, amount: bigint, outputs: number): readonly FaucetCoin[] => {
  const confirmed = confirmedCoins(state);
  const [first] = confirmed;
  const largest = first === undefined ? undefined : confirmed.reduce(larger, first);
  if (largest !== undefined && largest.amount - feeFor(state, 1, outputs) >= amount) return [largest];
  const sorted = [...confirmed].sort((one, other) => Number(other.amount - one.amount));
  return [...sorted, ...waitingChange(state)];
};

/** A fee that every node relays and every miner mines now. @returns satoshis */
const feeFor = ({ fees, mempool }: BitcoindState, inputs: number, outputs: number): bigint => {
  const rate = highestRate(fees.minimumRelay, fees.minimumMined, mempool.floor);
  return feeAt(rate, BASE_SIZE + inputs * INPUT_SIZE + outputs * OUTPUT_SIZE);
};

/** The first outputs, in order, that pay for amount and fee. @returns undefined if all together do not */
const chosenCoins = (
  state: BitcoindState,
  amount: bigint,
  outputs: number,
): { readonly coins: readonly FaucetCoin[]; readonly change: bigint } | undefined => {
  let sum = 0n;
  const coins: FaucetCoin[] = [];
  for (const coin of coinsInOrder(state, amount, outputs)) {
    coins.push(coin);
    sum += coin.amount;
    const change = sum - amount - feeFor(state, coins.length, outputs);
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
 * A payment out of the faucet, signed with the faucet's key. Submit it like any other transaction.
 * @param script that receives the amounts
 * @param amounts satoshis, of an output each
 * @returns the bytes to submit; undefined if the faucet has too little
 */
export const bitcoinFaucetPayment = (
  state: BitcoindState,
  script: Uint8Array,
  amounts: readonly bigint[],
): Uint8Array | undefined => {
  const sum = amounts.reduce((all, amount) => all + amount, 0n);
  const chosen = chosenCoins(state, sum, amounts.length + 1);
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
    outputs: [
      ...amounts.map((amount) => ({ amount, script })),
      ...(change.amount >= dustThresholdOf(change) ? [change] : []),
    ],
    lockTime: 0,
  };
  const inputs = chosen.coins.map((coin, at) => signedInput(state, unsigned, at, coin.amount));
  return wireTransaction({ ...unsigned, inputs });
};

import { getAddress } from "viem";
import { getBlock, getTransactionCount } from "viem/actions";
import {
  bytesToHex,
  hexToBigInt,
  hexToBytes,
  keccak256,
  parseTransaction,
  serializeTransaction,
} from "viem/utils";
import type { SignedTransaction } from "../../chain.ts";
import type { EvmNetwork } from "../network.ts";
import { finalBlock } from "./final-block.ts";
import type { Rpc } from "./rpc.ts";

/**
 * Blocks that are read one after another if the node does not give counts at earlier blocks: full nodes keep the state
 * of some 128.
 */
const BLOCKS_READ_MAX = 256n;

/** The fields of a block's transaction that are compared, by their names in the JSON-RPC interface. */
export interface Holder {
  readonly hash: string;
  readonly r?: `0x${string}` | undefined;
  readonly s?: `0x${string}` | undefined;
  readonly v?: bigint | undefined;
  readonly yParity?: number | undefined;
}

/** An account nonce of an account. */
export interface NoncePlace {
  readonly from: `0x${string}`;
  readonly nonce: bigint;
}

/**
 * The transaction that used an account's nonce in the final chain. @throws viem's errors, also if the node does not
 * show it
 */
export const nonceHolderOf = async (
  network: EvmNetwork,
  rpc: Rpc,
  place: NoncePlace,
): Promise<Holder | undefined> => {
  const final = await finalBlock(rpc, network);
  if (!(await isPast(rpc, place, final.number))) return undefined;
  const height = await heightOf(rpc, place, final.number).catch(() => undefined);
  const least = final.number > BLOCKS_READ_MAX ? final.number - BLOCKS_READ_MAX : 0n;
  const [from, to] = height === undefined ? [final.number, least] : [height, height];
  for (let at = from; at >= to; at -= 1n) {
    const { transactions } = await getBlock(rpc, { blockNumber: at, includeTransactions: true });
    const holder = transactions.find(
      (each) => getAddress(each.from) === place.from && BigInt(each.nonce) === place.nonce,
    );
    if (holder !== undefined) return holder;
  }
  // a count can pass a nonce without a transaction of the account, for example by an authorisation of EIP-7702
  if (height !== undefined) return undefined;
  throw new TypeError("it does not show which transaction has the account nonce");
};

/** Whether an account's transaction count has passed a nonce at a block. @throws viem's errors */
export const isPast = async (rpc: Rpc, { from, nonce }: NoncePlace, blockNumber: bigint): Promise<boolean> =>
  BigInt(await getTransactionCount(rpc, { address: from, blockNumber })) > nonce;

/** The block in which the account's count passed the nonce. @param past a block after that */
const heightOf = async (rpc: Rpc, place: NoncePlace, past: bigint): Promise<bigint> => {
  let [high, step] = [past, 1n];
  while (high > 0n && (await isPast(rpc, place, high > step ? high - step : 0n))) {
    high = high > step ? high - step : 0n;
    step *= 2n;
  }
  let low = high > step ? high - step : -1n;
  while (high - low > 1n) {
    const middle = (high + low) / 2n;
    if (await isPast(rpc, place, middle)) high = middle;
    else low = middle;
  }
  return high;
};

/**
 * Our bytes with the signature that the chain shows, if the result has the chain's hash, which proves that they are the
 * same transaction.
 */
export const withSignatureOf = (
  { hash, r, s, v, yParity }: Holder,
  unsigned: Uint8Array,
): SignedTransaction | undefined => {
  if (r === undefined || s === undefined || v === undefined) return undefined;
  const parity = yParity ?? Number((v + 1n) % 2n);
  const signed = serializeTransaction(parseTransaction(bytesToHex(unsigned)), {
    r: padded(r),
    s: padded(s),
    yParity: parity,
    v: BigInt(27 + parity),
  });
  return keccak256(signed) === hash ? { signed: hexToBytes(signed), txHash: hash } : undefined;
};

/** Restores leading zeros, which nodes leave out. */
const padded = (scalar: `0x${string}`): `0x${string}` =>
  `0x${hexToBigInt(scalar).toString(16).padStart(64, "0")}`;

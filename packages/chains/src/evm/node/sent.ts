import { ok, type Result } from "@conclave/custody";
import { type GetBlockReturnType, getAddress } from "viem";
import { getBlock, getBlockNumber } from "viem/actions";
import { bytesToHex, hexToBytes, keccak256, parseTransaction, serializeTransaction } from "viem/utils";
import { nodeAway } from "../../answers/node-away.ts";
import type { PlacesToSearch, SentSearch, SentTransaction } from "../../chain.ts";
import { waitsUnseen } from "../../first-sent.ts";
import { recoverPublicKey } from "../../recover.ts";
import { addressOf } from "../address.ts";
import type { EvmNetwork } from "../network.ts";
import { accountCount } from "./look-around.ts";
import { isPast, type NoncePlace, withSignatureOf } from "./nonce-holder.ts";
import { ask, type Rpc } from "./rpc.ts";

/** Most transactions that one search looks at. */
const LOOKS_MAX = 256;
/** Blocks that are read one after another if the node does not give counts at earlier blocks. */
const BLOCKS_READ_MAX = 1_024;
const MS_IN_SECOND = 1_000;

type FullBlock = GetBlockReturnType<undefined, true>;
type Transaction = FullBlock["transactions"][number];

/** The account whose transactions are searched, up to a head. */
interface Searched {
  readonly rpc: Rpc;
  readonly from: `0x${string}`;
  readonly head: bigint;
  readonly sinceMs: number;
}

const isOlder = ({ timestamp }: { readonly timestamp: bigint }, sinceMs: number): boolean =>
  Number(timestamp) * MS_IN_SECOND < sinceMs;

/**
 * Looks for a transaction among those with nonces that our records do not explain. Nodes cannot find a transaction by
 * its account nonce, so the search finds the block in which the account's count passed it. Counts rise with time, so a
 * transaction that is too old ends the search downwards. Of pending transactions, nodes only show that the count is
 * ahead.
 */
export const findSent = async (
  network: EvmNetwork,
  rpc: Rpc,
  sender: string,
  { places, sinceMs, isIt }: SentSearch,
): Promise<Result<SentTransaction | undefined>> => {
  if (places === undefined) throw new TypeError("an account of EVM counts its transactions");
  const { network: name } = network;
  const from = getAddress(sender);
  const counted = await ask(name, async () => ({
    count: await accountCount(rpc, from),
    head: await getBlockNumber(rpc, { cacheTime: 0 }),
  }));
  if (!counted.ok) return counted;
  const { count, head } = counted.value;
  const searched = { rpc, from, head, sinceMs };
  const lowest = await ask(name, () => lowestYoung(searched, places, upTo(places, count.mined)));
  if (!lowest.ok) return lowest;
  let looks = 0;
  for (let nonce = lowest.value; nonce < upTo(places, count.mined); nonce += 1n) {
    if (places.isExplained(nonce)) continue;
    looks += 1;
    if (looks > LOOKS_MAX) return nodeAway(name, "the account has sent more than is looked at");
    const sent = await ask(name, () => sentIn(searched, nonce));
    if (!sent.ok) return sent;
    if (sent.value !== undefined && (await isIt(sent.value))) return ok(sent.value);
  }
  return waitsUnseen(places, count.mined, count.pending) ? nodeAway(name, WAITS) : ok(undefined);
};

const WAITS = "a transaction of the account waits in its pool, and it does not show which one";

const upTo = ({ highest }: PlacesToSearch, next: bigint): bigint =>
  highest === undefined || highest >= next ? next : highest + 1n;

/** A nonce from which on all nonces are young enough to search: steps down from the highest, doubling the step. */
const lowestYoung = async (searched: Searched, { lowest }: PlacesToSearch, end: bigint): Promise<bigint> => {
  let [high, step] = [end, 1n];
  while (high > lowest) {
    const nonce = high - step > lowest ? high - step : lowest;
    if ((await passedAt(searched, nonce)) === "older") return nonce + 1n;
    high = nonce;
    step *= 2n;
  }
  return lowest;
};

/** The place where an account's count passed a nonce. */
type Passed =
  | { readonly kind: "in"; readonly height: bigint }
  /** the node does not say; in no block above this one */
  | { readonly kind: "unclear"; readonly below: bigint };

/** @returns "older" if that was before the start of the search */
const passedAt = async (searched: Searched, nonce: bigint): Promise<Passed | "older"> => {
  const { rpc, from, head, sinceMs } = searched;
  let [high, step] = [head, 1n];
  let low = -1n;
  while (high > 0n) {
    const below = high > step ? high - step : 0n;
    const [isBefore, block] = await Promise.all([
      isPast(rpc, { from, nonce }, below).catch(() => undefined),
      getBlock(rpc, { blockNumber: below }),
    ]);
    if (isBefore === undefined) return isOlder(block, sinceMs) ? "older" : { kind: "unclear", below: high };
    if (!isBefore) {
      low = below;
      break;
    }
    if (isOlder(block, sinceMs)) return "older";
    high = below;
    step *= 2n;
  }
  while (high - low > 1n) {
    const middle = (high + low) / 2n;
    if (await isPast(rpc, { from, nonce }, middle)) high = middle;
    else low = middle;
  }
  return { kind: "in", height: high };
};

/**
 * The transaction that used a nonce, if it is young enough. Undefined if none did, for example because an authorisation
 * of EIP-7702 was counted.
 */
const sentIn = async (searched: Searched, nonce: bigint): Promise<SentTransaction | undefined> => {
  const { rpc, from, sinceMs } = searched;
  const passed = await passedAt(searched, nonce);
  if (passed === "older") return undefined;
  const [top, blocks] = passed.kind === "in" ? [passed.height, 1] : [passed.below, BLOCKS_READ_MAX];
  for (let read = 0; read < blocks && BigInt(read) <= top; read += 1) {
    const block = await getBlock(rpc, { blockNumber: top - BigInt(read), includeTransactions: true });
    if (isOlder(block, sinceMs)) return undefined;
    const held = block.transactions.find((each) => isIn(each, { from, nonce }));
    if (held !== undefined) return rebuilt(held, from);
  }
  if (passed.kind === "in") return undefined;
  throw new TypeError("it does not show which transaction has the account nonce");
};

const isIn = (each: Transaction, { from, nonce }: NoncePlace): boolean =>
  getAddress(each.from) === from && BigInt(each.nonce) === nonce;

/** The unsigned bytes of a transaction of the two types that we use; a transaction of another type is not ours. */
const unsignedOf = ({ type, chainId, nonce, gas, to, value, input: data, ...fees }: Transaction) => {
  const call = { chainId: chainId ?? 0, nonce, gas, to, value, data };
  switch (type) {
    case "legacy":
      return chainId === undefined
        ? undefined
        : serializeTransaction({ ...call, type, gasPrice: fees.gasPrice ?? 0n });
    case "eip1559": {
      const { maxFeePerGas, maxPriorityFeePerGas, accessList } = fees;
      return serializeTransaction({ ...call, type, maxFeePerGas, maxPriorityFeePerGas, accessList });
    }
    default:
      return undefined;
  }
};

/** @throws TypeError if the transaction contradicts its hash or the account's key */
const rebuilt = (held: Transaction, from: `0x${string}`): SentTransaction | undefined => {
  const written = unsignedOf(held);
  if (written === undefined) return undefined;
  const unsigned = hexToBytes(written);
  const signed = withSignatureOf(held, unsigned);
  if (signed === undefined || signerOf(unsigned, signed.signed) !== from) {
    throw new TypeError(`the transaction ${held.hash} is not what it shows`);
  }
  return { unsigned, ...signed };
};

const signerOf = (unsigned: Uint8Array, signed: Uint8Array): string | undefined => {
  const { r, s, yParity } = parseTransaction(bytesToHex(signed));
  if (r === undefined || s === undefined || yParity === undefined) return undefined;
  const signature = { r: BigInt(r), s: BigInt(s), recovery: yParity };
  const key = recoverPublicKey(keccak256(unsigned, "bytes"), signature);
  return key.ok ? addressOf(key.value) : undefined;
};

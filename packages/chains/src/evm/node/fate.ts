import { fail, ok, type Result } from "@conclave/custody";
import { getAddress } from "viem";
import { keccak256, numberToHex } from "viem/utils";
import type { Fate, OwnTransaction, SignedTransaction } from "../../chain.ts";
import { decodeAnyUnsigned } from "../decode-any.ts";
import type { EvmNetwork } from "../network.ts";
import { finalBlock } from "./final-block.ts";
import { nonceHolderOf, withSignatureOf } from "./nonce-holder.ts";
import { ask, type Rpc } from "./rpc.ts";

const OPEN: Fate = { kind: "open" };

/**
 * Whether transactions of one account can no longer land (INV-4).
 *
 * An account's transactions land in the order of their nonces, each nonce once. So the proof is: in the final block the
 * account's count has passed each nonce, and the chain knows none of the hashes: other transactions used those nonces.
 *
 * Behind a load balancer one replica may be ahead of another: "count passed" from one and "hash unknown" from the other
 * together prove nothing. So the block, the count in it and the hashes are asked in one request, of one node. A node
 * that does not know the block gives no verdict, nor does one of another chain, where the same account has another
 * count.
 *
 * @param rpc finds the final block
 * @param together asks in one request
 * @returns ServiceUnavailable when there is no verdict
 */
export const fateOf = async (
  network: EvmNetwork,
  rpc: Rpc,
  together: Rpc,
  sender: string,
  transactions: readonly OwnTransaction[],
): Promise<Result<Fate>> => {
  const nonces: bigint[] = [];
  let highest = -1n;
  for (const { unsigned } of transactions) {
    const decoded = decodeAnyUnsigned(unsigned);
    if (!decoded.ok) return decoded;
    const { nonce } = decoded.value;
    nonces.push(nonce);
    if (nonce > highest) highest = nonce;
  }
  if (highest < 0n) throw new TypeError("there is no transaction whose fate is asked for");
  const final = await ask(network.network, () => finalBlock(rpc, network));
  if (!final.ok) return final;
  const hashes = transactions.map(({ signed }) => keccak256(signed));
  const found = await ask(network.network, () => lookTogether(together, sender, final.value.number, hashes));
  if (!found.ok) return found;
  const { chainId, blockHash, count, isKnown } = found.value;
  if (chainId !== BigInt(network.chainId)) return noVerdict(network, "is of another chain");
  if (blockHash !== final.value.hash) return noVerdict(network, "does not know the final block");
  if (isKnown || count <= highest) return ok(OPEN);
  const numbers = [...new Set(nonces)].join(", ");
  return ok({
    kind: "dead",
    reason: `another transaction used the account nonce ${numbers}; this one can never land`,
  });
};

const noVerdict = ({ network }: EvmNetwork, why: string): Result<never> =>
  fail("ServiceUnavailable", { network }, `The chain node of ${network} ${why}: it gives no verdict.`);

interface Found {
  readonly chainId: bigint;
  /** at the final height; undefined if the node has no such block */
  readonly blockHash: string | undefined;
  /** the account's transaction count in that block */
  readonly count: bigint;
  /** whether the node knows one of the hashes, in a block or in its pool */
  readonly isKnown: boolean;
}

const lookTogether = async (
  together: Rpc,
  sender: string,
  height: bigint,
  hashes: readonly `0x${string}`[],
): Promise<Found> => {
  const at = numberToHex(height);
  const [chainId, block, count, ...known] = await Promise.all([
    together.request({ method: "eth_chainId" }),
    together.request({ method: "eth_getBlockByNumber", params: [at, false] }),
    together.request({ method: "eth_getTransactionCount", params: [getAddress(sender), at] }),
    ...hashes.map((hash) => together.request({ method: "eth_getTransactionByHash", params: [hash] })),
  ]);
  return {
    chainId: BigInt(chainId),
    blockHash: block?.hash ?? undefined,
    count: BigInt(count),
    isKnown: known.some((transaction) => transaction !== null),
  };
};

/**
 * Looks for the same unsigned bytes in the final chain under another signature: each threshold signature of the same
 * bytes differs, and so does the hash. Nodes cannot find a transaction by its account nonce. So a binary search finds
 * the block in which the account's count passed it, and the transaction there is compared: its signature in our bytes
 * must give its hash.
 *
 * @returns undefined while the nonce is free in the final block, and if another transaction used it; ServiceUnavailable
 * if the node does not show which one
 */
export const twinOf = async (
  network: EvmNetwork,
  rpc: Rpc,
  sender: string,
  { unsigned, signed }: OwnTransaction,
): Promise<Result<SignedTransaction | undefined>> => {
  const decoded = decodeAnyUnsigned(unsigned);
  if (!decoded.ok) return decoded;
  const place = { from: getAddress(sender), nonce: decoded.value.nonce };
  const found = await ask(network.network, () => nonceHolderOf(network, rpc, place));
  if (!found.ok || found.value === undefined || found.value.hash === keccak256(signed)) {
    return found.ok ? ok(undefined) : found;
  }
  return ok(withSignatureOf(found.value, unsigned));
};

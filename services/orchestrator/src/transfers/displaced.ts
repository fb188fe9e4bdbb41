import type { Chain } from "@conclave/chains/node";
import type { Transfer } from "@conclave/custody";

/**
 * Why a signed transfer can provably land no more; undefined while it may (INV-4).
 *
 * An account's transactions land in the order of their nonces, each nonce once. So the proof is: as deep as the
 * network's confirmations ask, the account's count has passed our nonce, while the chain does not know our hash.
 * Then another transaction holds that nonce in a block that we call final. The hash is looked for after the count,
 * so that our own transaction, landing in between, is not mistaken for a stranger.
 */
export const isDisplaced = async (
  chain: Chain,
  sender: string,
  transfer: Transfer,
): Promise<string | undefined> => {
  const { nonce, txHash } = transfer;
  if (nonce === undefined || txHash === undefined) return undefined;
  const settled = await chain.nonceSettled(sender, nonce);
  if (!settled.ok || !settled.value) return undefined;
  const sighting = await chain.sight(txHash);
  if (!sighting.ok || sighting.value.kind !== "unknown") return undefined;
  return `another transaction used the account nonce ${nonce}; this one can never land`;
};

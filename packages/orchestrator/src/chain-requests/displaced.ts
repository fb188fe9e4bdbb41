import type { Chain } from "@conclave/chains/node";
import type { ChainRequest } from "@conclave/custody";
import { type Connection, listSignedWithNonce } from "@conclave/platform";

/**
 * Why a signed transaction can provably land no more; undefined while it may (INV-4).
 *
 * An account's transactions land in the order of their nonces, each nonce once. So the proof is: as deep as the
 * network's confirmations ask, the account's count has passed our nonce, while the chain does not know our hash.
 * Then another transaction holds that nonce in a block that we call final. The hash is looked for after the count,
 * so that our own transaction, landing in between, is not mistaken for a stranger.
 */
export const isDisplaced = async (
  connection: Connection,
  chain: Chain,
  sender: string,
  request: ChainRequest,
): Promise<string | undefined> => {
  const { nonce, txHash } = request;
  if (nonce === undefined || txHash === undefined) return undefined;
  const settled = await chain.nonceSettled(sender, nonce);
  if (!settled.ok || !settled.value) return undefined;
  const sighting = await chain.sight(txHash);
  if (!sighting.ok || sighting.value.kind !== "unknown") return undefined;
  const winner = await winnerOf(connection, chain, request, nonce);
  return winner === undefined
    ? `another transaction used the account nonce ${nonce}; this one can never land`
    : `${winner.id} has landed with the account nonce ${nonce} in its place; this one can never land`;
};

/** Which of our own requests with the same account nonce the chain holds. */
const winnerOf = async (
  connection: Connection,
  chain: Chain,
  request: ChainRequest,
  nonce: number,
): Promise<ChainRequest | undefined> => {
  for (const other of await listSignedWithNonce(connection, request.walletId, nonce)) {
    if (other.id === request.id || other.txHash === undefined) continue;
    const sighting = await chain.sight(other.txHash);
    if (sighting.ok && sighting.value.kind === "included") return other;
  }
  return undefined;
};

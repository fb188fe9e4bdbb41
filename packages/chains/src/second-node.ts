import { ok, type Result } from "@conclave/custody";
import type { ChainNode, Sighting } from "./chain.ts";

/** How much each kind of sighting tells. */
const RANK: Readonly<Record<Sighting["kind"], number>> = { unknown: 0, waiting: 1, included: 2 };

/**
 * Compares the chains of the two nodes. If the first does not answer, for example because it was called too often, its last
 * answer counts.
 * @returns whether the second is on the first's chain; ServiceUnavailable while that is unknown
 */
const sameChain = (first: ChainNode, second: ChainNode) => {
  let known: string | undefined;
  return {
    ofChain: async (): Promise<Result<string>> => {
      const own = await first.ofChain();
      if (own.ok) known = own.value;
      return own;
    },
    isSame: async (): Promise<Result<boolean>> => {
      const [own, other] = [await first.ofChain(), await second.ofChain()];
      if (own.ok) known = own.value;
      if (known === undefined && !own.ok) return own;
      return other.ok ? ok(other.value === known) : other;
    },
  };
};

const eitherArrivals =
  (
    first: ChainNode,
    second: ChainNode,
    isSame: () => Promise<Result<boolean>>,
  ): NonNullable<ChainNode["arrivals"]> =>
  async (height, areOurs, arePayers) => {
    const reported = (await first.arrivals?.(height, areOurs, arePayers)) ?? ok(undefined);
    if (reported.ok && reported.value !== undefined) return reported;
    const same = await isSame();
    // the second may have what the first has pruned, so without its answer the block is not missing yet
    if (!same.ok) return same;
    if (!same.value) return reported;
    const also = (await second.arrivals?.(height, areOurs, arePayers)) ?? ok(undefined);
    if (!also.ok) return also.problem.code === "BlockTooLarge" ? reported : also;
    return also.value === undefined ? reported : also;
  };

/**
 * Uses a second node of the same chain as well, so that a node that accepts transactions without forwarding them does not block
 * a request.
 * - Broadcasts go to both, and succeed if one accepts.
 * - A transaction that is in no block of the first is looked up on the second. The sighting that tells more counts.
 * - A transaction is dead only if both say so (INV-4). While the second does not answer, there is no such verdict.
 * - If the first does not answer for the arrivals of a block, or has pruned it, the second is asked, provided that both say
 *   they are on one chain. While it does not answer, no block counts as pruned or too large.
 *
 * All other calls go to the first node only.
 */
export const withSecondNode = (first: ChainNode, second: ChainNode): ChainNode => {
  const { ofChain, isSame } = sameChain(first, second);
  return {
    ...first,
    ofChain,
    ...(first.arrivals && { arrivals: eitherArrivals(first, second, isSame) }),
    broadcast: async (signed) => {
      const [said, also] = [first.broadcast(signed), second.broadcast(signed)];
      // after `accepted` nobody awaits the second's answer, so its errors are caught here
      const ofSecond = also.catch(() => undefined);
      const outcome = await said;
      if (outcome.kind === "accepted") return outcome;
      return (await ofSecond)?.kind === "accepted" ? { kind: "accepted" } : outcome;
    },
    sight: async (txHash, expected) => {
      const seen = await first.sight(txHash, expected);
      if (seen.ok && seen.value.kind === "included") return seen;
      const also = await second.sight(txHash, expected);
      if (!also.ok) return seen;
      return !seen.ok || RANK[also.value.kind] > RANK[seen.value.kind] ? also : seen;
    },
    fateOf: async (sender, transactions) => {
      const fate = await first.fateOf(sender, transactions);
      return fate.ok && fate.value.kind === "dead" ? second.fateOf(sender, transactions) : fate;
    },
  };
};

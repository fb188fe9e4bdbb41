import { ok, type Result } from "@conclave/custody";
import type { ChainNode, Sighting } from "./chain.ts";

/** The rank of a sighting's information. */
const RANK: Readonly<Record<Sighting["kind"], number>> = { unknown: 0, waiting: 1, included: 2 };

/**
 * A node that was asked too often by the question before tells nothing of its chain either: its last word counts.
 * @returns whether the second is of the first's chain; ServiceUnavailable while that is not known
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
  async (height, areOurs) => {
    const reported = (await first.arrivals?.(height, areOurs)) ?? ok(undefined);
    if (reported.ok && reported.value !== undefined) return reported;
    const same = await isSame();
    // the second may have what the first has forgotten: while it does not answer, nobody has
    if (!same.ok) return same;
    if (!same.value) return reported;
    const also = (await second.arrivals?.(height, areOurs)) ?? ok(undefined);
    if (!also.ok) return also.problem.code === "BlockTooLarge" ? reported : also;
    return also.value === undefined ? reported : also;
  };

/**
 * Asks a second node of the same chain as well, so that a node that says "accepted" and forwards nothing holds no request.
 * - Bytes go to both, and are accepted where one of them accepts them.
 * - A transaction is looked for on the second where the first has it in no block. The sighting that tells more counts.
 * - A transaction is dead only if both say so (INV-4). While the second does not answer there is no such verdict.
 * - It is asked what a block brought where the first does not tell, or has forgotten the block, if both say that they are of one chain. While
 *   it does not answer, no block is forgotten or too large.
 *
 * Everything else is the first node's to say.
 */
export const withSecondNode = (first: ChainNode, second: ChainNode): ChainNode => {
  const { ofChain, isSame } = sameChain(first, second);
  return {
    ...first,
    ofChain,
    ...(first.arrivals && { arrivals: eitherArrivals(first, second, isSame) }),
    broadcast: async (signed) => {
      const [said, also] = [first.broadcast(signed), second.broadcast(signed)];
      // the answer of the second may come after nobody waits for it any more
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

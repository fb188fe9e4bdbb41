import { ok } from "@conclave/custody";
import type { ChainNode, Sighting } from "./chain.ts";

/** How much a sighting tells. */
const TOLD: Readonly<Record<Sighting["kind"], number>> = { unknown: 0, waiting: 1, included: 2 };

const areOfOneChain = async (first: ChainNode, second: ChainNode): Promise<boolean> => {
  const [own, other] = await Promise.all([first.ofChain(), second.ofChain()]);
  return own.ok && other.ok && own.value === other.value;
};

const eitherArrivals =
  (first: ChainNode, second: ChainNode): NonNullable<ChainNode["arrivals"]> =>
  async (height, areOurs) => {
    const told = (await first.arrivals?.(height, areOurs)) ?? ok(undefined);
    if (told.ok && told.value !== undefined) return told;
    if (!(await areOfOneChain(first, second))) return told;
    const also = await second.arrivals?.(height, areOurs);
    return also?.ok === true && also.value !== undefined ? also : told;
  };

/**
 * Asks a second node of the same chain as well, so that a node that says "accepted" and forwards nothing holds no request.
 * - Bytes go to both, and are accepted where one of them accepts them.
 * - A transaction is looked for on the second where the first has it in no block. The sighting that tells more counts.
 * - A transaction is dead only if both say so (INV-4). While the second does not answer there is no such verdict.
 * - It is asked what a block brought where the first does not tell, or has forgotten the block, if both say that they are of one chain.
 *
 * Everything else is the first node's to say.
 */
export const withSecondNode = (first: ChainNode, second: ChainNode): ChainNode => ({
  ...first,
  ...(first.arrivals && { arrivals: eitherArrivals(first, second) }),
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
    return !seen.ok || TOLD[also.value.kind] > TOLD[seen.value.kind] ? also : seen;
  },
  fateOf: async (sender, transactions) => {
    const fate = await first.fateOf(sender, transactions);
    return fate.ok && fate.value.kind === "dead" ? second.fateOf(sender, transactions) : fate;
  },
});

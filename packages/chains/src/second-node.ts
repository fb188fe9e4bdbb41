import type { ChainNode, Sighting } from "./chain.ts";

/** How much a sighting tells. */
const TOLD: Readonly<Record<Sighting["kind"], number>> = { unknown: 0, waiting: 1, included: 2 };

/**
 * Asks a second node of the same chain as well, so that a node that says "accepted" and forwards nothing holds no request.
 * - Bytes go to both, and are accepted where one of them accepts them.
 * - A transaction is looked for on the second where the first has it in no block. The sighting that tells more counts.
 * - A transaction is dead only if both say so (INV-4). While the second does not answer there is no such verdict.
 *
 * Everything else is the first node's to say.
 */
export const withSecondNode = (first: ChainNode, second: ChainNode): ChainNode => ({
  ...first,
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

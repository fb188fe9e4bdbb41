import type { KeyHolding, KeysAsked } from "@conclave/cluster";
import type { Signer } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";

/** Keys of one signer that are judged in one look: what one signer claims takes no other's turn. */
const PER_SIGNER = 8;

/**
 * The keys that wait at signers to be settled, a few at every look: each look goes on where the last one at the same signer ended, and
 * begins anew at the end. So what cannot be settled keeps nothing else from its turn.
 */
export class Leftovers {
  readonly #which: Extract<KeysAsked, { readonly kind: "page" }>["which"];
  readonly #after = new Map<PartyIndex, string>();

  /** @param which pending keys, or keys of which a next epoch waits */
  constructor(which: "pending" | "waiting") {
    this.#which = which;
  }

  /** @returns the next few; none while the signer does not answer, and then they are asked for again */
  async next(signer: Pick<Signer, "index" | "listKeys">): Promise<readonly KeyHolding[]> {
    const { index } = signer;
    const after = this.#after.get(index);
    const page = await signer.listKeys({ kind: "page", which: this.#which, after, most: PER_SIGNER });
    if (!page.ok) return [];
    const { keys, next } = page.value;
    if (next === undefined) this.#after.delete(index);
    else this.#after.set(index, next);
    return keys;
  }
}

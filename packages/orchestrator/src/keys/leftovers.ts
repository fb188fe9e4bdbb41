import type { KeyHolding, KeysAsked } from "@conclave/cluster";
import type { Signer } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";

/**
 * How many keys of one signer are judged in one look, so that a signer with many keys does not delay the
 * others.
 */
const PER_SIGNER = 8;

/**
 * Lists the keys that wait at signers to be settled, a few at every look. Each look continues where the last look at
 * the same signer ended, and starts over after the last key. So a key that cannot be settled does not block the others.
 */
export class Leftovers {
  readonly #which: Extract<KeysAsked, { readonly kind: "page" }>["which"];
  readonly #after = new Map<PartyIndex, string>();

  /** @param which pending keys, or keys with a next epoch that waits */
  constructor(which: "pending" | "waiting") {
    this.#which = which;
  }

  /**
   * @returns the next few keys; none while the signer does not answer: the next call asks for the same keys
   */
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

import { TAG_BYTES, UNIT_BYTES } from "./entry-tags.ts";
import { leafOf } from "./leaf.ts";

/** Most units that are gathered before they are written: 16 MB. */
const UNITS_MAX = 1_000_000;

/** Collects units of entries, and then returns them grouped by leaf. */
export class GatheredUnits {
  #units = Buffer.alloc(0);
  #length = 0;

  get isFull(): boolean {
    return this.#length === UNITS_MAX * UNIT_BYTES;
  }

  add(nameTag: Buffer, valueTag: Buffer): void {
    if (this.#units.length === 0) this.#units = Buffer.alloc(UNITS_MAX * UNIT_BYTES);
    this.#units.set(nameTag, this.#length);
    this.#units.set(valueTag, this.#length + TAG_BYTES);
    this.#length += UNIT_BYTES;
  }

  /** Yields the units of each leaf that has any, in the order of leaves; afterwards no unit is left. */
  *byLeaf(): Generator<{ readonly leaf: number; readonly units: readonly Buffer[] }> {
    const count = this.#length / UNIT_BYTES;
    // leaf and place in one number: such numbers sort without a comparator, and leaves without units cost no time
    const order = Float64Array.from(
      { length: count },
      (_, at) => leafOf(this.#unit(at)) * UNITS_MAX + at,
    ).sort();
    const leafAt = (at: number): number => Math.floor((order[at] ?? 0) / UNITS_MAX);
    for (let from = 0, to = 0; from < count; from = to) {
      const leaf = leafAt(from);
      while (to < count && leafAt(to) === leaf) to++;
      yield { leaf, units: Array.from(order.subarray(from, to), (key) => this.#unit(key % UNITS_MAX)) };
    }
    this.#length = 0;
  }

  #unit(at: number): Buffer {
    return this.#units.subarray(at * UNIT_BYTES, (at + 1) * UNIT_BYTES);
  }
}

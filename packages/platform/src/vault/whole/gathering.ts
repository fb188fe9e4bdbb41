import { TAG_BYTES, UNIT_BYTES } from "./entry-tags.ts";
import { LEAVES, leafOf } from "./leaf.ts";

/** So many units are gathered before they are written: 16 MB. */
const UNITS_MAX = 1_000_000;

/** Gathers units of entries as they come, and hands them out leaf by leaf. */
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

  /** Gives the units of each leaf that has any, in no order, and holds none afterwards. */
  *byLeaf(): Generator<{ readonly leaf: number; readonly units: readonly Buffer[] }> {
    const ends = new Uint32Array(LEAVES);
    const count = this.#length / UNIT_BYTES;
    const leaves = Uint32Array.from({ length: count }, (_, at) => leafOf(this.#unit(at)));
    for (const leaf of leaves) ends[leaf] = (ends[leaf] ?? 0) + 1;
    for (let leaf = 1; leaf < LEAVES; leaf++) ends[leaf] = (ends[leaf] ?? 0) + (ends[leaf - 1] ?? 0);
    const order = new Uint32Array(count);
    const free = ends.slice();
    leaves.forEach((leaf, at) => {
      const place = (free[leaf] ?? 0) - 1;
      free[leaf] = place;
      order[place] = at;
    });
    for (let leaf = 0; leaf < LEAVES; leaf++) {
      const [from, to] = [free[leaf] ?? 0, ends[leaf] ?? 0];
      if (from === to) continue;
      yield { leaf, units: Array.from(order.subarray(from, to), (at) => this.#unit(at)) };
    }
    this.#length = 0;
  }

  #unit(at: number): Buffer {
    return this.#units.subarray(at * UNIT_BYTES, (at + 1) * UNIT_BYTES);
  }
}

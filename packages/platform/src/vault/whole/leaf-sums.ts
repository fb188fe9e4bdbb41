import { afterPrefix, type Table } from "../table.ts";
import { combined, type EntryTags, SUM_WORDS } from "./entry-tags.ts";
import { isLeaf, LEAF, LEAVES, leafNamed } from "./leaf.ts";

/** Number of leaves that are summed at once. */
const LEAVES_AT_ONCE = 256;
/** words that are kept in memory of each leaf's sum: 64 bits, 1 MB for all leaves */
const KEPT_WORDS = 2;

/** The sum of each leaf of a store, in memory, so that a leaf that was altered on disk is noticed whenever it is read. */
export class LeafSums {
  readonly #words = new Uint32Array(LEAVES * KEPT_WORDS);

  set(leaf: number, sum: Uint32Array): void {
    this.#words.set(sum.subarray(0, KEPT_WORDS), leaf * KEPT_WORDS);
  }

  isOf(leaf: number, sum: Uint32Array): boolean {
    const at = leaf * KEPT_WORDS;
    return sum[0] === this.#words[at] && sum[1] === this.#words[at + 1];
  }
}

/** Reads all leaves of a table. @returns the sum of each, and of all; undefined if a leaf is malformed or in a wrong place */
export const readLeafSums = async (
  table: Table,
  tags: EntryTags,
): Promise<{ readonly sums: LeafSums; readonly total: Uint32Array } | undefined> => {
  const sums = new LeafSums();
  let total: Uint32Array = new Uint32Array(SUM_WORDS);
  let [indices, leaves]: [number[], Buffer[]] = [[], []];
  const addAll = (): void => {
    tags.sums(leaves).forEach((sum, at) => {
      sums.set(indices[at] ?? 0, sum);
      total = combined(total, sum);
    });
    [indices, leaves] = [[], []];
  };
  for await (const [name, value] of table.iterator({ gte: LEAF, lt: afterPrefix(LEAF) })) {
    const index = leafNamed(name);
    const leaf = Buffer.from(value.buffer, value.byteOffset, value.length);
    if (index === undefined || !isLeaf(leaf, index)) return undefined;
    indices.push(index);
    leaves.push(leaf);
    if (leaves.length === LEAVES_AT_ONCE) addAll();
  }
  addAll();
  return { sums, total };
};

import { TAG_BYTES, UNIT_BYTES } from "./entry-tags.ts";

const LEAF_BITS = 17;
/**
 * Number of leaves that hold the tags of a store's entries. With 1 000 000 records, of two entries each, a leaf has
 * some 15 of them.
 */
export const LEAVES: number = 2 ** LEAF_BITS;
/** Prefix of the names of leaves; it sorts after all other names. */
export const LEAF = "~";
const DIGITS = 5;
const WORD_BITS = 32;

export const leafName = (index: number): string => LEAF + index.toString(16).padStart(DIGITS, "0");

/** @returns undefined if the name is not that of a leaf */
export const leafNamed = (name: string): number | undefined => {
  const index = Number.parseInt(name.slice(LEAF.length), 16);
  return index < LEAVES && leafName(index) === name ? index : undefined;
};

/** The leaf in which an entry's unit lies, by the tag of its name. */
export const leafOf = (nameTag: Buffer): number => nameTag.readUInt32BE(0) >>> (WORD_BITS - LEAF_BITS);

/** Where the unit of a name is, or would be inserted: units are ordered by the tags of their names. */
const placeIn = (leaf: Buffer, nameTag: Buffer): { readonly at: number; readonly isThere: boolean } => {
  let at = 0;
  while (at < leaf.length) {
    const order = leaf.compare(nameTag, 0, TAG_BYTES, at, at + TAG_BYTES);
    if (order === 0) return { at, isThere: true };
    if (order > 0) break;
    at += UNIT_BYTES;
  }
  return { at, isThere: false };
};

/** The tag of name and value of an entry; undefined if there is no such entry. */
export const valueTagIn = (leaf: Buffer, nameTag: Buffer): Buffer | undefined => {
  const { at, isThere } = placeIn(leaf, nameTag);
  return isThere ? leaf.subarray(at + TAG_BYTES, at + UNIT_BYTES) : undefined;
};

/** The leaf after an entry was written, or removed if `valueTag` is undefined. */
export const leafWith = (leaf: Buffer, nameTag: Buffer, valueTag: Buffer | undefined): Buffer => {
  const { at, isThere } = placeIn(leaf, nameTag);
  const unit = valueTag === undefined ? [] : [nameTag, valueTag];
  return Buffer.concat([leaf.subarray(0, at), ...unit, leaf.subarray(isThere ? at + UNIT_BYTES : at)]);
};

/** The leaf with further units, whose names it did not contain. */
export const leafOfUnits = (leaf: Uint8Array | undefined, units: readonly Buffer[]): Buffer => {
  const before = Buffer.from(leaf ?? []);
  const places = Array.from({ length: before.length / UNIT_BYTES }, (_, at) => at * UNIT_BYTES);
  const all = [...places.map((at) => before.subarray(at, at + UNIT_BYTES)), ...units];
  return Buffer.concat(all.sort((one, other) => Buffer.compare(one, other)));
};

/**
 * Whether the bytes are a leaf at this index: units of the leaf in order, each name once, because two equal units would
 * cancel out in a sum.
 */
export const isLeaf = (bytes: Buffer, index: number): boolean => {
  if (bytes.length === 0 || bytes.length % UNIT_BYTES > 0) return false;
  let [high, low] = [-1, -1];
  for (let at = 0; at < bytes.length; at += UNIT_BYTES) {
    const [nextHigh, nextLow] = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + TAG_BYTES / 2)];
    if (nextHigh >>> (WORD_BITS - LEAF_BITS) !== index) return false;
    if (nextHigh < high || (nextHigh === high && nextLow <= low)) return false;
    [high, low] = [nextHigh, nextLow];
  }
  return true;
};

import { decodeMulti, encode, IntMode } from "algorand-msgpack";
import { granted, type Ruling, refusedWith } from "../ruling.ts";

/**
 * The types that Algorand puts into MessagePack: unsigned integers below 2^64, booleans, texts, bytes, lists,
 * and maps whose keys are texts. Nothing is null, negative or a fraction.
 */
export type MsgpackValue = bigint | boolean | string | Uint8Array | readonly MsgpackValue[] | MsgpackMap;

export type MsgpackMap = ReadonlyMap<string, MsgpackValue>;

/** A signed transaction nests three deep: itself, the transaction, an asset's parameters. */
const MOST_NESTING = 8;

export const isMsgpackMap = (value: MsgpackValue): value is MsgpackMap => value instanceof Map;

/** @param room levels that it may nest */
const isOfAlgorand = (value: unknown, room = MOST_NESTING): value is MsgpackValue => {
  if (room < 0) return false;
  if (typeof value === "bigint") return value >= 0n;
  if (typeof value === "boolean" || typeof value === "string" || value instanceof Uint8Array) return true;
  if (Array.isArray(value)) return value.every((each) => isOfAlgorand(each, room - 1));
  return (
    value instanceof Map &&
    [...value].every(([key, each]) => typeof key === "string" && isOfAlgorand(each, room - 1))
  );
};

/**
 * Reads the value with which bytes begin, in any of its encodings, by the codec of the chain's SDK.
 * @returns a refusal in the manner of algod's decoder where there is none
 */
export const readMsgpack = (bytes: Uint8Array): Ruling<MsgpackValue> => {
  const refused = (why: string): Ruling<never> => refusedWith(`msgpack decode error [pos 0]: ${why}`);
  try {
    const [value] = decodeMulti(bytes, { intMode: IntMode.BIGINT, useMap: true });
    return isOfAlgorand(value) ? granted(value) : refused("it holds what no transaction holds");
  } catch (error) {
    // the codec throws at bytes that are no MessagePack, and at the end of what there is
    if (error instanceof RangeError) return refused("unexpected EOF");
    return refused(error instanceof Error ? error.message : "no MessagePack");
  }
};

/**
 * The canonical encoding: sorted keys, the shortest form of every number and length. Leaving out what is empty is the
 * caller's part, because lists of values keep theirs.
 * @source Algorand developer documentation, "Encoding and decoding": canonical msgpack
 */
export const encodeCanonical = (value: MsgpackValue): Uint8Array => encode(value, { sortKeys: true });

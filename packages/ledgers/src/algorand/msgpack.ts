import { decodeMulti, encode, IntMode } from "algorand-msgpack";
import { granted, type Ruling, refusedWith } from "../ruling.ts";

/**
 * The MessagePack types that Algorand uses: unsigned integers below 2^64, booleans, strings, bytes, lists, and maps with
 * string keys. There are no nulls, negative numbers or fractions.
 */
export type MsgpackValue = bigint | boolean | string | Uint8Array | readonly MsgpackValue[] | MsgpackMap;

export type MsgpackMap = ReadonlyMap<string, MsgpackValue>;

/** A signed transaction has three levels: itself, the transaction, an asset's parameters. */
const MOST_NESTING = 8;

export const isMsgpackMap = (value: MsgpackValue): value is MsgpackMap => value instanceof Map;

/** @param room how many more levels of nesting are allowed */
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
 * Reads the first MessagePack value of the bytes, in any encoding, with the codec of Algorand's SDK.
 * @returns a refusal like that of algod's decoder if there is no such value
 */
export const readMsgpack = (bytes: Uint8Array): Ruling<MsgpackValue> => {
  const refused = (why: string): Ruling<never> => refusedWith(`msgpack decode error [pos 0]: ${why}`);
  try {
    const [value] = decodeMulti(bytes, { intMode: IntMode.BIGINT, useMap: true });
    return isOfAlgorand(value) ? granted(value) : refused("it holds what no transaction holds");
  } catch (error) {
    // the codec throws a RangeError where the bytes end early, and other errors for invalid MessagePack
    if (error instanceof RangeError) return refused("unexpected EOF");
    return refused(error instanceof Error ? error.message : "no MessagePack");
  }
};

/**
 * The canonical encoding: sorted keys, and the shortest form of every number and length. The caller leaves out empty
 * values, because lists keep theirs.
 * @source Algorand developer documentation, "Encoding and decoding": canonical msgpack
 */
export const encodeCanonical = (value: MsgpackValue): Uint8Array => encode(value, { sortKeys: true });

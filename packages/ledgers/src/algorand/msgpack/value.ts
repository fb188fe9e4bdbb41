/**
 * The types that Algorand puts into MessagePack: unsigned integers below 2^64, booleans, texts, bytes, lists,
 * and maps whose keys are texts. Nothing is null, negative or a fraction.
 */
export type MsgpackValue = bigint | boolean | string | Uint8Array | readonly MsgpackValue[] | MsgpackMap;

export type MsgpackMap = ReadonlyMap<string, MsgpackValue>;

export const isMsgpackMap = (value: MsgpackValue): value is MsgpackMap => value instanceof Map;

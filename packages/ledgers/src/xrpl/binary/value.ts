import type { RippledAddress } from "../address.ts";

/**
 * The value of a field: a number of at most 32 bits, drops of XRP, bytes (a hash, a blob, an amount that is not XRP), an
 * account, an object, or an array of objects.
 */
export type RippledValue =
  | number
  | bigint
  | Uint8Array
  | RippledAddress
  | RippledFields
  | readonly RippledFields[];

/** The fields of an object by their names, in the canonical order. */
export interface RippledFields extends ReadonlyMap<string, RippledValue> {}

export const isRippledArray = (value: RippledValue | undefined): value is readonly RippledFields[] =>
  Array.isArray(value);

import { bytesToNumberLE } from "@noble/curves/utils.js";

/** Offset of the byte, after a token account's own bytes, that tells the kind of the account; the same for mints. */
const KIND_AT = 165;
const KINDS = { mint: 1, holding: 2 } as const;
const HEAD_BYTES = 2;

export interface TokenExtension {
  readonly type: number;
  readonly value: Uint8Array;
}

/**
 * The extensions of a Token-2022 account (spl-token-2022, extension): type and length of two bytes each, little-endian, up to a
 * type of zero or the end.
 * @param bare length without extensions, where the account may end
 * @returns undefined for an account of another kind, or one that ends too early
 */
export const extensionsIn = (
  data: Uint8Array,
  bare: number,
  kind: keyof typeof KINDS,
): readonly TokenExtension[] | undefined => {
  if (data.length === bare) return [];
  if (data[KIND_AT] !== KINDS[kind]) return undefined;
  const found: TokenExtension[] = [];
  let at = KIND_AT + 1;
  while (at + 2 * HEAD_BYTES <= data.length) {
    const type = uint16(data, at);
    if (type === 0) break;
    const begin = at + 2 * HEAD_BYTES;
    const end = begin + uint16(data, at + HEAD_BYTES);
    if (end > data.length) return undefined;
    found.push({ type, value: data.slice(begin, end) });
    at = end;
  }
  return found;
};

const uint16 = (data: Uint8Array, at: number): number =>
  Number(bytesToNumberLE(data.slice(at, at + HEAD_BYTES)));

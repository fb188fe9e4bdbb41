import { type Codec, convert, decode, encode, struct, uint, variableBytes } from "@conclave/threshold";

const BODY_BYTES_MAX = 256 * 1024 * 1024;

/** One alternative of a union. */
export interface Variant<T> {
  readonly encode: (value: T) => Uint8Array | undefined;
  readonly decode: (bytes: Uint8Array) => T | undefined;
}

/** One alternative of a union: its kind travels as the place in the list, its other fields as a struct. */
export const variant = <T extends { readonly kind: string }, K extends T["kind"], Fields extends object>(
  kind: K,
  narrow: (value: T) => Fields | undefined,
  build: (kind: K, fields: Fields) => T,
  fields: Codec<Fields>,
): Variant<T> => ({
  encode: (value) => {
    const narrowed = value.kind === kind ? narrow(value) : undefined;
    return narrowed === undefined ? undefined : encode(fields, narrowed);
  },
  decode: (bytes) => {
    const decoded = decode(fields, bytes);
    return decoded.ok ? build(kind, decoded.value) : undefined;
  },
});

/** Any of the alternatives, at most 255. */
export const union = <T>(variants: readonly Variant<T>[], reason: string): Codec<T> =>
  convert(
    struct<{ tag: number; body: Uint8Array }>({ tag: uint(1), body: variableBytes(BODY_BYTES_MAX) }),
    ({ tag, body }) => variants[tag]?.decode(body),
    (value) => {
      for (const [tag, candidate] of variants.entries()) {
        const body = candidate.encode(value);
        if (body !== undefined) return { tag, body };
      }
      throw new RangeError(`no wire form: ${reason}`);
    },
    reason,
  );

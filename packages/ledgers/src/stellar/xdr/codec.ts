import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { UnreadableXdr, XdrSink, XdrSource } from "./stream.ts";

/** One type of the protocol: how it is read, and how it is written. */
export interface XdrCodec<T> {
  read(source: XdrSource): T;
  write(sink: XdrSink, value: T): void;
}

export type XdrValue<Codec> = Codec extends XdrCodec<infer T> ? T : never;

/** @returns the value that the bytes are from first to last; or why they are none */
export const decodeXdr = <T>(codec: XdrCodec<T>, bytes: Uint8Array): Ruling<T> => {
  const source = new XdrSource(bytes);
  try {
    const value = codec.read(source);
    return source.isAtEnd ? granted(value) : refusedWith("there are bytes behind its end");
  } catch (error) {
    if (error instanceof UnreadableXdr) return refusedWith(error.message);
    throw error;
  }
};

export const encodeXdr = <T>(codec: XdrCodec<T>, value: T): Uint8Array => {
  const sink = new XdrSink();
  codec.write(sink, value);
  return sink.bytes();
};

const small = (signed: boolean): XdrCodec<number> => ({
  read: (source) => Number(source.number(4, signed)),
  write: (sink, value) => sink.number(BigInt(value), 4),
});

const large = (signed: boolean): XdrCodec<bigint> => ({
  read: (source) => source.number(8, signed),
  write: (sink, value) => sink.number(value, 8),
});

export const xdrI32 = small(true);
export const xdrU32 = small(false);
export const xdrI64 = large(true);
export const xdrU64 = large(false);

export const xdrVoid: XdrCodec<undefined> = { read: () => undefined, write: () => undefined };

export const xdrBool: XdrCodec<boolean> = {
  read: (source) => source.length(1) === 1,
  write: (sink, value) => sink.number(value ? 1n : 0n, 4),
};

/** So many bytes, always. */
export const xdrFixed = (length: number): XdrCodec<Uint8Array> => ({
  read: (source) => source.opaque(length),
  write: (sink, value) => sink.opaque(value),
});

/** Up to so many bytes; a text is one too, because the protocol's texts need not be UTF-8. */
export const xdrBytes = (most: number): XdrCodec<Uint8Array> => ({
  read: (source) => source.opaque(source.length(most)),
  write: (sink, value) => {
    sink.number(BigInt(value.length), 4);
    sink.opaque(value);
  },
});

export const xdrOptional = <T>(codec: XdrCodec<T>): XdrCodec<T | undefined> => ({
  read: (source) => (xdrBool.read(source) ? codec.read(source) : undefined),
  write: (sink, value) => {
    xdrBool.write(sink, value !== undefined);
    if (value !== undefined) codec.write(sink, value);
  },
});

export const xdrList = <T>(codec: XdrCodec<T>, most: number): XdrCodec<readonly T[]> => ({
  read: (source) => {
    // no entry is shorter than nothing, and none of the protocol's is shorter than four bytes
    const count = source.length(Math.min(most, Math.floor(source.left / 4)));
    return Array.from({ length: count }, () => codec.read(source));
  },
  write: (sink, values) => {
    sink.number(BigInt(values.length), 4);
    for (const value of values) codec.write(sink, value);
  },
});

/** Something of the protocol in other words: an address for its key. */
export const xdrMapped = <Wire, T>(
  codec: XdrCodec<Wire>,
  from: (wire: Wire) => T,
  to: (value: T) => Wire,
): XdrCodec<T> => ({
  read: (source) => from(codec.read(source)),
  write: (sink, value) => codec.write(sink, to(value)),
});

/** A type that holds itself. */
export const xdrNested = <T>(codec: () => XdrCodec<T>): XdrCodec<T> => ({
  read: (source) => source.nested(() => codec().read(source)),
  write: (sink, value) => codec().write(sink, value),
});

/** Bytes that are XDR already. */
export const xdrWritten: XdrCodec<Uint8Array> = {
  read: (source) => source.opaque(source.left),
  write: (sink, value) => sink.opaque(value),
};

/** A type that this ledger does not understand; the refusal has its name. */
export const xdrNotSimulated = (name: string): XdrCodec<never> => ({
  read: () => {
    throw new UnreadableXdr(`this simulated ledger does not carry out ${name}`);
  },
  write: () => undefined,
});

type Fields = Readonly<Record<string, XdrCodec<unknown>>>;
type StructOf<F extends Fields> = { readonly [Name in keyof F]: XdrValue<F[Name]> };

/** Fields one after the other, in the order in which they are listed here. */
export function xdrStruct<F extends Fields>(fields: F): XdrCodec<StructOf<F>>;
export function xdrStruct(fields: Fields): XdrCodec<Readonly<Record<string, unknown>>> {
  const entries = Object.entries(fields);
  return {
    read: (source) => Object.fromEntries(entries.map(([name, codec]) => [name, codec.read(source)])),
    write: (sink, value) => {
      for (const [name, codec] of entries) codec.write(sink, value[name]);
    },
  };
}

type Arms = Readonly<Record<string, readonly [tag: number, codec: XdrCodec<unknown>]>>;
/** An arm that is never read is never met. */
type ArmOf<Type, Value> = [Value] extends [never] ? never : { readonly type: Type; readonly value: Value };
type UnionOf<A extends Arms> = { [Type in keyof A]: ArmOf<Type, XdrValue<A[Type][1]>> }[keyof A];

/** One of several, told apart by the number before it. */
export function xdrUnion<const A extends Arms>(name: string, arms: A): XdrCodec<UnionOf<A>>;
export function xdrUnion(
  name: string,
  arms: Arms,
): XdrCodec<{ readonly type: string; readonly value: unknown }> {
  const byTag = new Map(Object.entries(arms).map(([type, [tag, codec]]) => [tag, { type, codec }]));
  return {
    read: (source) => {
      const tag = xdrI32.read(source);
      const arm = byTag.get(tag);
      if (arm === undefined) throw new UnreadableXdr(`there is no ${name} of kind ${tag}`);
      return { type: arm.type, value: arm.codec.read(source) };
    },
    write: (sink, { type, value }) => {
      const arm = arms[type];
      if (arm === undefined) throw new RangeError(`there is no ${name} ${type}`);
      xdrI32.write(sink, arm[0]);
      arm[1].write(sink, value);
    },
  };
}

/** A union that the protocol keeps free for later: nothing but a zero. */
export const xdrNoExtension: XdrCodec<undefined> = xdrMapped(
  xdrUnion("extension", { none: [0, xdrVoid] }),
  () => undefined,
  () => ({ type: "none" as const, value: undefined }),
);

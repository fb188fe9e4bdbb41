import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { xdr } from "./sdk.ts";

/** Aborts the decoding of bytes that are not XDR, or that this ledger does not implement. `decodeXdr` catches it. */
class UnreadableXdr extends Error {}

/**
 * Converts between a value of the SDK and one of this ledger. The SDK's types encode and decode bytes: the order of
 * fields, arm numbers, widths, bounds, padding. Codecs here only map names.
 */
export interface XdrCodec<T> {
  read(wire: unknown): T;
  write(value: T): unknown;
}

/** A codec of a type that can be serialised on its own. */
export interface XdrType<T> extends XdrCodec<T> {
  parse(bytes: Uint8Array): unknown;
  serialise(wire: unknown): Uint8Array;
}

export type XdrValue<Codec> = Codec extends XdrCodec<infer T> ? T : never;

/** The static methods of the SDK's types. */
interface Serialised {
  fromXDR(bytes: Buffer): unknown;
  toXDR(wire: never): Buffer;
}

const bytesOf = (type: Serialised): Pick<XdrType<unknown>, "parse" | "serialise"> => ({
  // a copy, so that decoded values are not views of the given bytes
  parse: (bytes) => type.fromXDR(Buffer.from(bytes)),
  serialise: (wire) => Uint8Array.from(Reflect.apply(type.toXDR, type, [wire])),
});

/** @returns the SDK's value, or why the bytes are malformed; the SDK throws only plain errors for these */
const parsed = (codec: XdrType<unknown>, bytes: Uint8Array): unknown => {
  try {
    return codec.parse(bytes);
  } catch (error) {
    throw error instanceof TypeError ? new UnreadableXdr(error.message) : error;
  }
};

/** @returns the value that all of the bytes encode, or why they are malformed */
export const decodeXdr = <T>(codec: XdrType<T>, bytes: Uint8Array): Ruling<T> => {
  try {
    return granted(codec.read(parsed(codec, bytes)));
  } catch (error) {
    if (error instanceof UnreadableXdr) return refusedWith(error.message);
    throw error;
  }
};

export const encodeXdr = <T>(codec: XdrType<T>, value: T): Uint8Array => codec.serialise(codec.write(value));

/** Thrown if the codec does not match the SDK's type. */
const misfit = (wire: unknown): RangeError => new RangeError(`the SDK has another type here: ${typeof wire}`);

/** A 32-bit number, signed or unsigned. */
export const xdrNumber: XdrCodec<number> = {
  read: (wire) => {
    if (typeof wire !== "number") throw misfit(wire);
    return wire;
  },
  write: (value) => value,
};

const large = (type: typeof xdr.Int64 | typeof xdr.Uint64): XdrCodec<bigint> => ({
  read: (wire) => {
    if (!(wire instanceof type)) throw misfit(wire);
    return wire.toBigInt();
  },
  write: (value) => new type(value),
});

export const xdrI64 = large(xdr.Int64);
export const xdrU64 = large(xdr.Uint64);

export const xdrVoid: XdrCodec<undefined> = { read: () => undefined, write: () => undefined };

export const xdrBool: XdrCodec<boolean> = { read: (wire) => wire === true, write: (value) => value };

/** Bytes. XDR strings are read as bytes too, because the protocol does not require UTF-8. */
export const xdrBytes: XdrCodec<Uint8Array> = {
  read: (wire) => {
    if (!(wire instanceof Uint8Array)) throw misfit(wire);
    return Uint8Array.from(wire);
  },
  write: (value) => Buffer.from(value),
};

export const xdrOptional = <T>(codec: XdrCodec<T>): XdrCodec<T | undefined> => ({
  read: (wire) => (wire === undefined ? undefined : codec.read(wire)),
  write: (value) => (value === undefined ? undefined : codec.write(value)),
});

export const xdrList = <T>(codec: XdrCodec<T>): XdrCodec<readonly T[]> => ({
  read: (wire) => {
    if (!Array.isArray(wire)) throw misfit(wire);
    return wire.map((each: unknown) => codec.read(each));
  },
  write: (values) => values.map((value) => codec.write(value)),
});

/** A codec with a conversion on top, such as an address for a key. */
export const xdrMapped = <Wire, T, C extends XdrCodec<Wire>>(
  codec: C & XdrCodec<Wire>,
  from: (wire: Wire) => T,
  to: (value: T) => Wire,
): Omit<C, "read" | "write"> & XdrCodec<T> => ({
  ...codec,
  read: (wire) => from(codec.read(wire)),
  write: (value) => codec.write(to(value)),
});

/** A recursive type. */
export const xdrNested = <T>(codec: () => XdrCodec<T>): XdrCodec<T> => ({
  read: (wire) => codec().read(wire),
  write: (value) => codec().write(value),
});

/** A value kept in encoded form. */
export const xdrWritten = (type: Serialised): XdrCodec<Uint8Array> => {
  const { parse, serialise } = bytesOf(type);
  return { read: serialise, write: parse };
};

/** A type that this ledger only writes. */
export const xdrOnlyWritten = <T>(write: (value: T) => unknown): XdrCodec<T> => ({
  read: (wire) => {
    throw misfit(wire);
  },
  write,
});

/** An enum member of the SDK, by its number. @param members those that this ledger knows */
export const xdrEnum = (...members: readonly { readonly value: number }[]): XdrCodec<number> => ({
  read: (wire) => {
    const found = members.find((member) => member === wire);
    if (found === undefined) throw misfit(wire);
    return found.value;
  },
  write: (value) => members.find((member) => member.value === value),
});

/** Calls a method of the SDK's value that takes no arguments. */
const asked = (wire: unknown, name: string): unknown => {
  const method: unknown = typeof wire === "object" && wire !== null ? Reflect.get(wire, name) : undefined;
  if (typeof method !== "function") throw misfit(wire);
  return Reflect.apply(method, wire, []);
};

/** A codec; with the SDK's field name if this ledger uses another. */
type Named<Name> = XdrCodec<unknown> | readonly [Name, XdrCodec<unknown>];
type NamedValue<F> = F extends readonly [unknown, infer Codec] ? XdrValue<Codec> : XdrValue<F>;
type Fields<Name> = Readonly<Record<string, Named<Name>>>;
type StructOf<F> = { readonly [Name in keyof F]: NamedValue<F[Name]> };
/** The SDK's names of the fields, with which the compiler finds missing and misspelt ones. */
type NamesOf<F> = {
  [Name in keyof F]: F[Name] extends readonly [infer Other, unknown] ? Other : Name;
}[keyof F];
type Complete<Attributes, F> = [keyof Attributes, NamesOf<F>] extends [NamesOf<F>, keyof Attributes]
  ? unknown
  : never;
type StructType<Attributes> = Serialised & (new (attributes: Attributes) => object);

/** A struct. @param fields all fields of the SDK's type, under this ledger's names */
export function xdrStruct<Attributes, const F extends Fields<keyof Attributes>>(
  type: StructType<Attributes>,
  fields: F & Complete<Attributes, F>,
): XdrType<StructOf<F>>;
export function xdrStruct(
  type: StructType<Readonly<Record<string, unknown>>>,
  fields: Fields<string>,
): XdrType<Readonly<Record<string, unknown>>> {
  const entries = Object.entries(fields).map(([own, field]): readonly [string, string, XdrCodec<unknown>] =>
    "read" in field ? [own, own, field] : [own, ...field],
  );
  return {
    ...bytesOf(type),
    read: (wire) =>
      Object.fromEntries(entries.map(([own, name, codec]) => [own, codec.read(asked(wire, name))])),
    write: (value) =>
      new type(Object.fromEntries(entries.map(([own, name, codec]) => [name, codec.write(value[own])]))),
  };
}

type UnionType = Serialised & (new (...given: never[]) => object);
/** An arm of the SDK's union: the name of its constructor or, for extension points, its number. */
type NameIn<Type> = (keyof Type & string) | number;
/** Only the SDK's name or number, if the arm is void. */
type Arm<Name> = Name | Named<Name>;
type UnionOf<A> = {
  [Type in keyof A]: {
    readonly type: Type;
    readonly value: A[Type] extends string | number ? undefined : NamedValue<A[Type]>;
  };
}[keyof A];

/** The name or number of a value's arm. */
const chosenIn = (wire: unknown): unknown => {
  const chosen = asked(wire, "switch");
  return typeof chosen === "object" && chosen !== null && "name" in chosen ? chosen.name : chosen;
};

const unknownArm = (chosen: unknown): UnreadableXdr =>
  new UnreadableXdr(`this simulated ledger does not carry out ${chosen}`);

const madeOf = (type: UnionType, name: string | number, value: unknown): unknown => {
  if (typeof name === "number") return Reflect.construct(type, [name, value]);
  const make: unknown = Reflect.get(type, name);
  if (typeof make !== "function") throw misfit(make);
  return Reflect.apply(make, type, [value]);
};

/** A union. @param arms those that this ledger implements; others are refused by name */
export function xdrUnion<Type extends UnionType, const A extends Readonly<Record<string, Arm<NameIn<Type>>>>>(
  type: Type,
  arms: A,
): XdrType<UnionOf<A>>;
export function xdrUnion(
  type: UnionType,
  arms: Readonly<Record<string, Arm<string | number>>>,
): XdrType<{ readonly type: string; readonly value: unknown }> {
  const all = Object.entries(arms).map(
    ([own, arm]): readonly [string, string | number, XdrCodec<unknown>] => {
      if (typeof arm !== "object") return [own, arm, xdrVoid];
      return "read" in arm ? [own, own, arm] : [own, ...arm];
    },
  );
  const byType = new Map(all.map((arm) => [arm[0], arm]));
  const byName = new Map<unknown, (typeof all)[number]>(all.map((arm) => [arm[1], arm]));
  return {
    ...bytesOf(type),
    read: (wire) => {
      const chosen = chosenIn(wire);
      const arm = byName.get(chosen);
      if (arm === undefined) throw unknownArm(chosen);
      return { type: arm[0], value: arm[2].read(asked(wire, "value")) };
    },
    write: ({ type: own, value }) => {
      const arm = byType.get(own);
      if (arm === undefined) throw misfit(own);
      return madeOf(type, arm[1], arm[2].write(value));
    },
  };
}

/** A union of which this ledger implements one arm. @param codec of its value */
export const xdrOnly = <Type extends UnionType, T>(
  type: Type,
  name: NameIn<Type>,
  codec: XdrCodec<T>,
): XdrType<T> => ({
  ...bytesOf(type),
  read: (wire) => {
    const chosen = chosenIn(wire);
    if (chosen !== name) throw unknownArm(chosen);
    return codec.read(asked(wire, "value"));
  },
  write: (value) => madeOf(type, name, codec.write(value)),
});

/** An extension point that must be 0, because the protocol reserves it or its other arms are not simulated. */
export const xdrNoExtension = (type: UnionType): XdrType<undefined> => xdrOnly(type, 0, xdrVoid);

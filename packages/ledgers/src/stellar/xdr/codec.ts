import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { xdr } from "./sdk.ts";

/** Stops the reading of what is no XDR, or of what this ledger does not carry out. It never leaves `decodeXdr`. */
class UnreadableXdr extends Error {}

/**
 * A value of the SDK as a value of this ledger, and back. The SDK knows the bytes: the order of fields, the numbers of arms, widths,
 * bounds, padding. This knows names.
 */
export interface XdrCodec<T> {
  read(wire: unknown): T;
  write(value: T): unknown;
}

/** A codec of a type that has bytes by itself. */
export interface XdrType<T> extends XdrCodec<T> {
  parse(bytes: Uint8Array): unknown;
  serialise(wire: unknown): Uint8Array;
}

export type XdrValue<Codec> = Codec extends XdrCodec<infer T> ? T : never;

/** The static side of each type of the SDK. */
interface Serialised {
  fromXDR(bytes: Buffer): unknown;
  toXDR(wire: never): Buffer;
}

const bytesOf = (type: Serialised): Pick<XdrType<unknown>, "parse" | "serialise"> => ({
  // a copy, so that what is read does not change with the given bytes
  parse: (bytes) => type.fromXDR(Buffer.from(bytes)),
  serialise: (wire) => Uint8Array.from(Reflect.apply(type.toXDR, type, [wire])),
});

/** @returns the SDK's value; or why the bytes are none: the SDK throws errors of no other class */
const parsed = (codec: XdrType<unknown>, bytes: Uint8Array): unknown => {
  try {
    return codec.parse(bytes);
  } catch (error) {
    throw error instanceof TypeError ? new UnreadableXdr(error.message) : error;
  }
};

/** @returns the value that the bytes are from first to last; or why they are none */
export const decodeXdr = <T>(codec: XdrType<T>, bytes: Uint8Array): Ruling<T> => {
  try {
    return granted(codec.read(parsed(codec, bytes)));
  } catch (error) {
    if (error instanceof UnreadableXdr) return refusedWith(error.message);
    throw error;
  }
};

export const encodeXdr = <T>(codec: XdrType<T>, value: T): Uint8Array => codec.serialise(codec.write(value));

/** The codec does not fit the SDK's type. */
const misfit = (wire: unknown): RangeError => new RangeError(`the SDK has another type here: ${typeof wire}`);

/** A number of 32 bits, with a sign or without. */
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

/** Bytes; a text is one too, because the protocol's texts need not be UTF-8. */
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

/** Something of the protocol in other words: an address for its key. */
export const xdrMapped = <Wire, T, C extends XdrCodec<Wire>>(
  codec: C & XdrCodec<Wire>,
  from: (wire: Wire) => T,
  to: (value: T) => Wire,
): Omit<C, "read" | "write"> & XdrCodec<T> => ({
  ...codec,
  read: (wire) => from(codec.read(wire)),
  write: (value) => codec.write(to(value)),
});

/** A type that holds itself. */
export const xdrNested = <T>(codec: () => XdrCodec<T>): XdrCodec<T> => ({
  read: (wire) => codec().read(wire),
  write: (value) => codec().write(value),
});

/** A value by its bytes. */
export const xdrWritten = (type: Serialised): XdrCodec<Uint8Array> => {
  const { parse, serialise } = bytesOf(type);
  return { read: serialise, write: parse };
};

/** A type that this ledger writes, and is never given. */
export const xdrOnlyWritten = <T>(write: (value: T) => unknown): XdrCodec<T> => ({
  read: (wire) => {
    throw misfit(wire);
  },
  write,
});

/** One of the SDK's named numbers, by its number. @param members those that this ledger knows */
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

/** A codec, with the SDK's name where this ledger has another. */
type Named<Name> = XdrCodec<unknown> | readonly [Name, XdrCodec<unknown>];
type NamedValue<F> = F extends readonly [unknown, infer Codec] ? XdrValue<Codec> : XdrValue<F>;
type Fields<Name> = Readonly<Record<string, Named<Name>>>;
type StructOf<F> = { readonly [Name in keyof F]: NamedValue<F[Name]> };
/** The SDK's names of the fields, by which the compiler sees one that is missing or misspelt. */
type NamesOf<F> = {
  [Name in keyof F]: F[Name] extends readonly [infer Other, unknown] ? Other : Name;
}[keyof F];
type Complete<Attributes, F> = [keyof Attributes, NamesOf<F>] extends [NamesOf<F>, keyof Attributes]
  ? unknown
  : never;
type StructType<Attributes> = Serialised & (new (attributes: Attributes) => object);

/** Fields one after the other. @param fields all fields of the SDK's type, under this ledger's names */
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
/** The SDK's union has a function for each of its arms, or takes the number of a version when it is made. */
type NameIn<Type> = (keyof Type & string) | number;
/** The SDK's name or number alone, if the arm is empty. */
type Arm<Name> = Name | Named<Name>;
type UnionOf<A> = {
  [Type in keyof A]: {
    readonly type: Type;
    readonly value: A[Type] extends string | number ? undefined : NamedValue<A[Type]>;
  };
}[keyof A];

/** The name or number of the arm that a value has. */
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

/** One of several. @param arms those that this ledger carries out; it refuses others by their names */
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

/** A union of which this ledger carries out one arm. @param codec of its value */
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

/** A union that the protocol keeps free for later, or whose further arms are not simulated: nothing but a zero. */
export const xdrNoExtension = (type: UnionType): XdrType<undefined> => xdrOnly(type, 0, xdrVoid);

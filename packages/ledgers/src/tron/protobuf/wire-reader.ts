/** The bytes are not canonical protobuf, or have a field that this ledger does not know. */
export class JavaTronWireRefused extends Error {}

type WireValue = bigint | Uint8Array;

const VARINT = 0;
const DELIMITED = 2;
const VARINT_BYTES_MAX = 10;
const INT64_BITS = 64;

/** Reads a varint. @returns its value, and the offset behind it */
const readVarint = (bytes: Uint8Array, start: number): readonly [bigint, number] => {
  let value = 0n;
  for (let at = start; at < bytes.length && at - start < VARINT_BYTES_MAX; at += 1) {
    const byte = bytes[at] ?? 0;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - start));
    if (byte >= 0x80) continue;
    if (byte === 0 && at > start) throw new JavaTronWireRefused("a number is longer than it need be");
    if (value >> BigInt(INT64_BITS) !== 0n) throw new JavaTronWireRefused("a number has more than 64 bits");
    return [value, at + 1];
  }
  throw new JavaTronWireRefused("a number does not end");
};

/**
 * Reads the fields of a message in the canonical form of protobuf writers: ascending field numbers, the shortest form of
 * numbers, no default values. A node accepts other forms too, but computes the id from the canonical one.
 */
const readFields = (bytes: Uint8Array): ReadonlyMap<number, readonly WireValue[]> => {
  const fields = new Map<number, WireValue[]>();
  let latest = 0;
  for (let at = 0; at < bytes.length; ) {
    const [key, behindKey] = readVarint(bytes, at);
    const number = Number(key >> 3n);
    const type = Number(key & 7n);
    if (number < latest || number === 0) throw new JavaTronWireRefused("fields are out of order");
    if (type !== VARINT && type !== DELIMITED)
      throw new JavaTronWireRefused(`field ${number} has wire type ${type}`);
    const [amount, behindAmount] = readVarint(bytes, behindKey);
    const end = type === VARINT ? behindAmount : behindAmount + Number(amount);
    if (end > bytes.length) throw new JavaTronWireRefused(`field ${number} is cut off`);
    if (type === VARINT && amount === 0n)
      throw new JavaTronWireRefused(`field ${number} is a zero that is written`);
    const values = fields.get(number) ?? [];
    values.push(type === VARINT ? amount : bytes.slice(behindAmount, end));
    fields.set(number, values);
    latest = number;
    at = end;
  }
  return fields;
};

/** The fields of a protobuf message, read by number. Every method throws JavaTronWireRefused. */
export class JavaTronMessage {
  readonly #name: string;
  readonly #fields: ReadonlyMap<number, readonly WireValue[]>;

  /** @param name of the message, for refusals @param known the allowed field numbers */
  constructor(name: string, bytes: Uint8Array, known: readonly number[]) {
    this.#name = name;
    this.#fields = readFields(bytes);
    for (const number of this.#fields.keys()) {
      if (!known.includes(number))
        throw new JavaTronWireRefused(`${name} has a field ${number}, which this ledger does not know`);
    }
  }

  #one(number: number): WireValue | undefined {
    const values = this.#fields.get(number) ?? [];
    if (values.length > 1) throw new JavaTronWireRefused(`${this.#name} has field ${number} more than once`);
    return values[0];
  }

  int64(number: number): bigint {
    const value = this.#one(number) ?? 0n;
    if (typeof value !== "bigint")
      throw new JavaTronWireRefused(`field ${number} of ${this.#name} is no number`);
    return BigInt.asIntN(INT64_BITS, value);
  }

  /** A non-negative number of at most 53 bits: a time, an enum, a count. */
  small(number: number): number {
    const value = this.int64(number);
    if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
      throw new JavaTronWireRefused(`field ${number} of ${this.#name} is out of range`);
    }
    return Number(value);
  }

  bytes(number: number): Uint8Array {
    const value = this.#one(number) ?? new Uint8Array();
    if (typeof value === "bigint")
      throw new JavaTronWireRefused(`field ${number} of ${this.#name} is no bytes`);
    return value;
  }

  text(number: number): string {
    return new TextDecoder().decode(this.bytes(number));
  }

  list(number: number): readonly Uint8Array[] {
    return (this.#fields.get(number) ?? []).map((value) => {
      if (typeof value === "bigint")
        throw new JavaTronWireRefused(`field ${number} of ${this.#name} is no bytes`);
      return value;
    });
  }
}

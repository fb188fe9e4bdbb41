import { type AlgodAddress, addressOfKey } from "../address.ts";
import { isMsgpackMap, type MsgpackMap } from "../msgpack.ts";

const ADDRESS_BYTES = 32;

/** Aborts the decoding of a transaction; the decoder converts it to a refusal. */
export class FieldRefused extends Error {}

const undecodable = (why: string): FieldRefused => new FieldRefused(`msgpack decode error: ${why}`);

/**
 * The typed fields of a map. An absent field has the empty value of its type, and an empty value must be absent:
 * otherwise one transaction would have two encodings.
 */
export class Fields {
  readonly #map: MsgpackMap;

  constructor(map: MsgpackMap) {
    this.#map = map;
  }

  uint(key: string): bigint {
    const value = this.#map.get(key);
    if (value === undefined) return 0n;
    if (typeof value !== "bigint") throw undecodable(`${key} is no unsigned number`);
    return this.#unlessEmpty(key, value, value === 0n);
  }

  /** An unsigned 32-bit number. */
  small(key: string): number {
    const value = this.uint(key);
    if (value >= 1n << 32n) throw undecodable(`${key} is above 32 bits`);
    return Number(value);
  }

  flag(key: string): boolean {
    const value = this.#map.get(key);
    if (value === undefined) return false;
    if (typeof value !== "boolean") throw undecodable(`${key} is neither true nor false`);
    return this.#unlessEmpty(key, value, !value);
  }

  text(key: string): string {
    const value = this.#map.get(key);
    if (value === undefined) return "";
    if (typeof value !== "string") throw undecodable(`${key} is no text`);
    return this.#unlessEmpty(key, value, value === "");
  }

  bytes(key: string): Uint8Array {
    const value = this.#map.get(key);
    if (value === undefined) return new Uint8Array();
    if (!(value instanceof Uint8Array)) throw undecodable(`${key} is no byte string`);
    return this.#unlessEmpty(key, value, value.length === 0);
  }

  /** Bytes of a fixed length, at least one of them not zero. */
  fixed(key: string, length: number): Uint8Array | undefined {
    const value = this.bytes(key);
    if (value.length === 0) return undefined;
    if (value.length !== length) throw undecodable(`${key} has ${value.length} bytes instead of ${length}`);
    return this.#unlessEmpty(
      key,
      value,
      value.every((byte) => byte === 0),
    );
  }

  address(key: string): AlgodAddress | undefined {
    const value = this.fixed(key, ADDRESS_BYTES);
    return value && addressOfKey(value);
  }

  map(key: string): MsgpackMap | undefined {
    const value = this.#map.get(key);
    if (value === undefined) return undefined;
    if (!isMsgpackMap(value)) throw undecodable(`${key} is no map`);
    return this.#unlessEmpty(key, value, value.size === 0);
  }

  /** Refuses a map with any other key. */
  only(keys: ReadonlySet<string>): void {
    for (const key of this.#map.keys()) {
      if (!keys.has(key)) {
        throw undecodable(`no matching struct field found when decoding stream map with key ${key}`);
      }
    }
  }

  #unlessEmpty<T>(key: string, value: T, isEmpty: boolean): T {
    if (isEmpty) throw undecodable(`${key} is empty and must be left out`);
    return value;
  }
}

import { Secret } from "@conclave/threshold";

declare const carried: unique symbol;

/**
 * A value in the form that structured clone takes, with its secrets in clear: for a thread of our own process, never
 * for a log, a disk or a socket.
 */
export interface Cloneable<T> {
  readonly [carried]: T;
}

/** The one field of an object that stands for a secret. */
const IN_CLEAR = "secret in clear";

/**
 * Prepares a message for a port. Structured clone gives the receiver an empty object for an instance of a class; a secret
 * therefore goes as a plain object, and all other instances are a bug.
 *
 * @param value of plain objects, lists, maps, bytes and secrets
 * @returns the message to post; the receiver gives its clone to `fromClone`
 * @throws when a secret was taken before, or when structured clone would lose something of the value
 */
export function forClone<T>(value: T): Cloneable<T>;
export function forClone(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Secret) return { [IN_CLEAR]: forClone(value.reveal()) };
  if (value instanceof Uint8Array) return alone(value);
  if (Array.isArray(value)) return value.map((item) => forClone(item));
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, forClone(item)]));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`an instance of ${value.constructor.name} does not survive structured clone`);
  }
  return withFields(value, forClone);
}

/**
 * Takes a message from a port.
 *
 * @param clone a clone of what `forClone` returned
 * @returns the value as it was sent, its secrets hidden again
 */
export function fromClone<T>(clone: Cloneable<T>): T;
export function fromClone(clone: unknown): unknown {
  return hidden(clone);
}

const hidden = (clone: unknown): unknown => {
  if (typeof clone !== "object" || clone === null || clone instanceof Uint8Array) return clone;
  if (Array.isArray(clone)) return clone.map(hidden);
  if (clone instanceof Map) return new Map([...clone].map(([key, item]) => [key, hidden(item)]));
  if (IN_CLEAR in clone) return new Secret(hidden(clone[IN_CLEAR]));
  return withFields(clone, hidden);
};

const withFields = (value: object, change: (field: unknown) => unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [name, change(field)]));

/** Structured clone copies the whole buffer behind a view: other bytes in it could leak, and copying them costs time. */
const alone = (bytes: Uint8Array): Uint8Array =>
  bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);

import type { AbiParameterBody } from "@conclave/custody";
import { abiArrayOf } from "./abi-array.ts";

/** A place of an ABI: 32 bytes. */
const SLOT = 32;

/** Whether a value stands elsewhere, and its place has only the way to it (Contract ABI Specification, "Dynamic types"). */
const isDynamic = (parameter: AbiParameterBody): boolean => {
  const array = abiArrayOf(parameter);
  if (array !== undefined) return array.length === undefined || isDynamic(array.element);
  if (parameter.type === "tuple") return (parameter.components ?? []).some(isDynamic);
  return parameter.type === "bytes" || parameter.type === "string";
};

/** Bytes that a value takes in the place where its parameter stands. */
const headSize = (parameter: AbiParameterBody): number => {
  if (isDynamic(parameter)) return SLOT;
  const array = abiArrayOf(parameter);
  if (array !== undefined) return (array.length ?? 0) * headSize(array.element);
  if (parameter.type !== "tuple") return SLOT;
  return (parameter.components ?? []).reduce((size, component) => size + headSize(component), 0);
};

/** An encoded answer, read place by place, with what is left to read of it. */
class Reading {
  left: number;
  readonly #hex: string;

  constructor(hex: string, most: number) {
    this.#hex = hex;
    this.left = most;
  }

  /** @returns 0 where the answer has ended, which the decoder finds out */
  number(at: number): number {
    const digits = this.#hex.slice(2 + 2 * at, 2 + 2 * (at + SLOT));
    return digits.length === 2 * SLOT ? Number(`0x${digits}`) : 0;
  }

  /** @returns whether so many bytes may still be read */
  take(bytes: number): boolean {
    this.left -= bytes;
    return this.left >= 0;
  }
}

/** Reads values one after another, each at the end of the one before. */
const readAll = (reading: Reading, parameters: Iterable<AbiParameterBody>, start: number): boolean => {
  let at = start;
  for (const parameter of parameters) {
    if (!readOne(reading, parameter, at, start)) return false;
    at += headSize(parameter);
  }
  return true;
};

function* times(length: number, element: AbiParameterBody): Generator<AbiParameterBody> {
  for (let index = 0; index < length; index += 1) yield element;
}

/** Reads what stands at a place. */
const readContent = (reading: Reading, parameter: AbiParameterBody, at: number): boolean => {
  const array = abiArrayOf(parameter);
  if (array?.length !== undefined) return readAll(reading, times(array.length, array.element), at);
  if (array !== undefined) {
    if (!reading.take(SLOT)) return false;
    return readAll(reading, times(reading.number(at), array.element), at + SLOT);
  }
  if (parameter.type === "tuple") return readAll(reading, parameter.components ?? [], at);
  return reading.take(SLOT + (isDynamic(parameter) ? reading.number(at) : 0));
};

const readOne = (reading: Reading, parameter: AbiParameterBody, at: number, base: number): boolean => {
  if (!isDynamic(parameter)) return readContent(reading, parameter, at);
  if (!reading.take(SLOT)) return false;
  return readContent(reading, parameter, base + reading.number(at));
};

/**
 * Whether an answer gives at most so many bytes when it is decoded. The way to a value is a number that the contract chooses, so
 * it can name one value as often as it has places: 128 KB then decode to gigabytes.
 *
 * @param answer hex with 0x; it need not be of these outputs, nor hold all of them
 */
export const decodesWithin = (
  outputs: readonly AbiParameterBody[],
  answer: string,
  mostBytes: number,
): boolean => readAll(new Reading(answer, mostBytes), outputs, 0);

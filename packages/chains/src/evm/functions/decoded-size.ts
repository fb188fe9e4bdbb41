import type { AbiParameterBody } from "@conclave/custody";
import { abiArrayOf } from "./abi-array.ts";

/** Bytes of one ABI slot. */
const SLOT = 32;

/** Whether a value is encoded elsewhere, and its slot holds only an offset (Contract ABI Specification, "Dynamic types"). */
const isDynamic = (parameter: AbiParameterBody): boolean => {
  const array = abiArrayOf(parameter);
  if (array !== undefined) return array.length === undefined || isDynamic(array.element);
  if (parameter.type === "tuple") return (parameter.components ?? []).some(isDynamic);
  return parameter.type === "bytes" || parameter.type === "string";
};

/** Bytes that a value takes in its parameter's head. */
const headSize = (parameter: AbiParameterBody): number => {
  if (isDynamic(parameter)) return SLOT;
  const array = abiArrayOf(parameter);
  if (array !== undefined) return (array.length ?? 0) * headSize(array.element);
  if (parameter.type !== "tuple") return SLOT;
  return (parameter.components ?? []).reduce((size, component) => size + headSize(component), 0);
};

/** An encoded answer, with the number of bytes that may still be read from it. */
class Reading {
  left: number;
  readonly #hex: string;

  constructor(hex: string, most: number) {
    this.#hex = hex;
    this.left = most;
  }

  /** @returns 0 beyond the end of the answer; the decoder reports that error */
  number(at: number): number {
    const digits = this.#hex.slice(2 + 2 * at, 2 + 2 * (at + SLOT));
    return digits.length === 2 * SLOT ? Number(`0x${digits}`) : 0;
  }

  /** @returns whether the limit allows this many further bytes */
  take(bytes: number): boolean {
    this.left -= bytes;
    return this.left >= 0;
  }
}

/** Reads consecutive values. */
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

/** Reads the content of a value at an offset. */
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
 * Whether an answer decodes to at most a number of bytes. The contract chooses the offsets of values, so many slots can point
 * to one value: 128 KB could decode to gigabytes.
 *
 * @param answer hex with 0x; it may be truncated, or encode other outputs
 */
export const decodesWithin = (
  outputs: readonly AbiParameterBody[],
  answer: string,
  mostBytes: number,
): boolean => readAll(new Reading(answer, mostBytes), outputs, 0);

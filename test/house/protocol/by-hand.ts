import { createHash } from "node:crypto";

/**
 * A second implementation of docs/protocol.md's grammar, with node:crypto only, so that document, vectors and code cannot agree
 * merely because they share a function.
 */

/** A transcript field in the form of the vectors: integers in decimal, bytes and points in hex, the identity as no digits. */
export type Written =
  | { readonly text: string }
  | { readonly integer: string }
  | { readonly bytes: string }
  | { readonly point: string }
  | { readonly list: readonly Written[] };

/** The context of a proof in the form of the vectors. */
export interface WrittenContext {
  readonly session: string;
  readonly epoch: number;
  readonly prover: number;
  readonly verifier: number | "all";
  readonly position: string;
}

export const unsigned = (value: number, width: number): Buffer => {
  const bytes = Buffer.alloc(width);
  bytes.writeUIntBE(value, 0, width);
  return bytes;
};

const frame = (tag: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.of(tag), unsigned(body.length, 4), body]);

const minimal = (magnitude: bigint): Buffer => {
  const digits = magnitude === 0n ? "" : magnitude.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
};

/** field = tag ‖ length ‖ body */
export const encodeWritten = (field: Written): Buffer => {
  if ("text" in field) return frame(1, Buffer.from(field.text, "utf8"));
  if ("integer" in field) {
    const value = BigInt(field.integer);
    return frame(2, Buffer.concat([Buffer.of(value < 0n ? 1 : 0), minimal(value < 0n ? -value : value)]));
  }
  if ("bytes" in field) return frame(3, Buffer.from(field.bytes, "hex"));
  if ("point" in field) return frame(4, Buffer.from(field.point, "hex"));
  return frame(5, Buffer.concat(field.list.map(encodeWritten)));
};

const shake256 = (input: Buffer, length: number): Buffer =>
  createHash("shake256", { outputLength: length }).update(input).digest();

export const sha256ByHand = (input: Uint8Array | string): Buffer =>
  createHash("sha256").update(input).digest();

/** H(domain, fields), 32 bytes in hex */
export const hashWritten = (domain: string, fields: readonly Written[]): string =>
  shake256(
    encodeWritten({ list: [{ text: "conclave/v1" }, { text: domain }, { list: fields }] }),
    32,
  ).toString("hex");

/** The bytes that a challenge is drawn from, read in order. */
export class ByteStream {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  take(length: number): Buffer {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

/** More bytes than any challenge of the vectors reads. */
const STREAM_BYTES = 64 * 1024;

export const streamWritten = (
  proof: string,
  { session, epoch, prover, verifier, position }: WrittenContext,
  fields: readonly Written[],
): ByteStream => {
  const list: readonly Written[] = [
    { text: "conclave/v1" },
    { text: proof },
    { bytes: session },
    { integer: String(epoch) },
    { integer: String(prover) },
    verifier === "all" ? { text: verifier } : { integer: String(verifier) },
    { text: position },
    { list: fields },
  ];
  return new ByteStream(shake256(encodeWritten({ list }), STREAM_BYTES));
};

const bitsOf = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

/** Uniform in [0, bound), by rejection: as many bytes as bound - 1 needs, with the excess low bits dropped. */
export const drawBelow = (stream: ByteStream, bound: bigint): bigint => {
  const bits = bitsOf(bound - 1n);
  for (;;) {
    const drawn = BigInt(`0x${stream.take(Math.ceil(bits / 8)).toString("hex")}`);
    const candidate = drawn >> BigInt((8 - (bits % 8)) % 8);
    if (candidate < bound) return candidate;
  }
};

/** Uniform in [-bound, bound]. */
export const drawSymmetric = (stream: ByteStream, bound: bigint): bigint =>
  drawBelow(stream, 2n * bound + 1n) - bound;

/** One byte for each bit, of which the highest bit counts. */
export const drawBits = (stream: ByteStream, count: number): readonly boolean[] =>
  Array.from({ length: count }, () => (stream.take(1)[0] ?? 0) >= 0x80);

const gcdOf = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcdOf(b, a % b));

/** Draws `count` values below the modulus, then replaces those that are not coprime to it until all are. */
export const drawUnits = (stream: ByteStream, modulus: bigint, count: number): readonly bigint[] => {
  const found: bigint[] = [];
  while (found.length < count) {
    const drawn = Array.from({ length: count - found.length }, () => drawBelow(stream, modulus));
    found.push(...drawn.filter((value) => gcdOf(value, modulus) === 1n));
  }
  return found;
};

/** A part of a message, named by its codec. */
export type Part = "natural" | "integer" | "point" | "scalar" | "boolean";

const ofHex = (bytes: Buffer): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString("hex")}`));

/** Reads the parts of a secp256k1 message in order. @throws Error if bytes are left over */
export const readParts = (hex: string, parts: readonly Part[]): readonly (bigint | string)[] => {
  const whole = Buffer.from(hex, "hex");
  const bytes = new ByteStream(whole);
  let length = 0;
  const take = (count: number): Buffer => {
    length += count;
    return bytes.take(count);
  };
  const natural = (): bigint => ofHex(take(take(2).readUInt16BE(0)));
  const readers: Readonly<Record<Part, () => bigint | string>> = {
    natural,
    integer: () => (take(1)[0] === 1 ? -natural() : natural()),
    point: () => take(33).toString("hex"),
    scalar: () => ofHex(take(32)),
    boolean: () => ofHex(take(1)),
  };
  const values = parts.map((part) => readers[part]());
  if (length !== whole.length) throw new Error(`${whole.length} bytes, of which the parts take ${length}`);
  return values;
};

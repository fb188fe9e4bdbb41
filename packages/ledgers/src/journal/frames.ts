import { deserialize, serialize } from "node:v8";

const LENGTH_BYTES = 4;

/** A value behind its length (4 bytes, big-endian), in the structured-clone format: maps, bigints and bytes are kept. */
export const frameOf = (value: unknown): Uint8Array => {
  const body = serialize(value);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
};

/**
 * Reads frames up to the first one that is not whole: the process was killed while it wrote that one, and nobody has heard of it.
 * @returns the values, and how many bytes they take
 */
export const readFrames = (
  bytes: Uint8Array,
): { readonly values: readonly unknown[]; readonly length: number } => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: unknown[] = [];
  let at = 0;
  while (at + LENGTH_BYTES <= buffer.length) {
    const end = at + LENGTH_BYTES + buffer.readUInt32BE(at);
    if (end > buffer.length) break;
    values.push(deserialize(buffer.subarray(at + LENGTH_BYTES, end)));
    at = end;
  }
  return { values, length: at };
};

import { deserialize, serialize } from "node:v8";

const LENGTH_BYTES = 4;

/** A length (4 bytes, big-endian) and a value in structured-clone format, which preserves maps, bigints and bytes. */
export const frameOf = (value: unknown): Uint8Array => {
  const body = serialize(value);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
};

/**
 * Reads frames up to the first incomplete one: the process was killed during that write, before it answered anybody.
 * @returns the values, and the number of bytes read
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

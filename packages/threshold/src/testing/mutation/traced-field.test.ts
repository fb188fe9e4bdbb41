import { describe, expect, it } from "vitest";
import {
  countedList,
  encode,
  fixedBytes,
  integer,
  list,
  natural,
  scalarCodec,
  struct,
  uint,
  variableBytes,
} from "../../codec.ts";
import { fieldsOf } from "./traced-field.ts";

interface Inner {
  readonly z: bigint;
  readonly w: bigint;
}

interface Message {
  readonly tag: number;
  readonly n: bigint;
  readonly pairs: readonly Inner[];
  readonly many: readonly Uint8Array[];
  readonly note: Uint8Array;
}

const codec = struct<Message>({
  tag: uint(2),
  n: natural(64),
  pairs: list(struct<Inner>({ z: integer(64), w: scalarCodec }), 2),
  many: countedList(fixedBytes(3), 9),
  note: variableBytes(10),
});

const message: Message = {
  tag: 7,
  n: 0x1234n,
  pairs: [
    { z: -5n, w: 1n },
    { z: 0n, w: 2n },
  ],
  many: [Uint8Array.of(1, 2, 3)],
  note: new Uint8Array(4),
};

describe("the fields of a message", () => {
  it("are found by its codec, each with its offset and form", () => {
    const fields = fieldsOf(codec, encode(codec, message));
    const shown = fields.map(
      ({ path, offset, length, signBytes, lengthBytes }) =>
        `${path} at ${offset}, ${length} bytes: sign ${signBytes}, length ${lengthBytes}`,
    );
    expect(shown).toEqual([
      "tag at 0, 2 bytes: sign 0, length 0",
      "n at 2, 4 bytes: sign 0, length 2",
      "pairs.0.z at 6, 4 bytes: sign 1, length 2",
      "pairs.0.w at 10, 32 bytes: sign 0, length 0",
      "pairs.1.z at 42, 3 bytes: sign 1, length 2",
      "pairs.1.w at 45, 32 bytes: sign 0, length 0",
      "many at 77, 1 bytes: sign 0, length 0",
      "many.0 at 78, 3 bytes: sign 0, length 0",
      "note at 81, 8 bytes: sign 0, length 4",
    ]);
  });

  it("cover every byte of the message", () => {
    const payload = encode(codec, message);
    expect(fieldsOf(codec, payload).reduce((sum, { length }) => sum + length, 0)).toBe(payload.length);
  });

  it("are one when the message is one value", () => {
    expect(fieldsOf(scalarCodec, encode(scalarCodec, 3n))).toEqual([
      { path: "", offset: 0, length: 32, signBytes: 0, lengthBytes: 0 },
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { jsonPieces } from "./json-pieces.ts";

const piecesOf = (json: string, depth: number, pieceBytes?: number): readonly string[] =>
  [...jsonPieces(Buffer.from(json), depth, pieceBytes)].map(({ from, to }) => json.slice(from, to));

describe("the pieces of a JSON text", () => {
  it("are the elements of each list of one depth, neighbours together until they have so many bytes", () => {
    const json = '{"a":[1,[2,3],"]"],"b":{"c":[4]},"d":[]}';
    expect(piecesOf(json, 2, 0)).toEqual(["1", "[2,3]", '"]"']);
    expect(piecesOf(json, 2, 3)).toEqual(["1,[2,3]", '"]"']);
    expect(piecesOf(json, 2)).toEqual(['1,[2,3],"]"']);
    expect(piecesOf(json, 3, 0)).toEqual(["2", "3", "4"]);
  });

  it("K8 of a list of megabytes have little more than 64 KiB each", () => {
    const json = JSON.stringify({
      list: Array.from({ length: 20_000 }, (_, at) => ({ at, text: "x".repeat(100) })),
    });
    const lengths = piecesOf(json, 2).map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThan(65 * 1024);
    expect(lengths.length).toBeLessThan(json.length / (64 * 1024) + 1);
  });

  it("tell of a long number in them, and of none that is in a text, in another piece, or around them", () => {
    const long = "1234567890123456";
    const json = `{"n":${long},"l":["${long}","\\"${long}",123456789012345,[${long}],1],"m":[2,${long}]}`;
    const reported = [...jsonPieces(Buffer.from(json), 2, 0)].map(({ hasLongNumber }) => hasLongNumber);
    expect(reported).toEqual([false, false, false, true, false, false, true]);
  });
});

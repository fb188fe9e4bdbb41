import { fail, ok, type Result } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { BlockPieces, wholeOrPieces } from "./block-pieces.ts";
import { nodeAway } from "./node-away.ts";

const IDS = ["a", "b", "c", "d", "e", "f"];

/** A node that answers this many calls per round. */
const limited = (calls: number) => {
  const asked: string[] = [];
  let left = calls;
  return {
    asked,
    nextRound: () => {
      left = calls;
    },
    ask: async (id: string): Promise<Result<string>> => {
      if (left === 0) return nodeAway("N", "it asks for fewer requests");
      left -= 1;
      asked.push(id);
      return ok(id.toUpperCase());
    },
  };
};

const read = (pieces: BlockPieces<string>, block: string, ask: (id: string) => Promise<Result<string>>) =>
  pieces.pieces(block, IDS, (id) => id, ask, 2);

const isThere = (): boolean => true;

describe("K5 pieces of a block", () => {
  it("come over several rounds of a node that allows few calls, each once", async () => {
    const pieces = new BlockPieces<string>();
    const node = limited(2);
    for (const round of [1, 2, 3]) {
      node.nextRound();
      expect((await read(pieces, "1", node.ask)).ok).toBe(round === 3);
    }
    expect(node.asked).toEqual(IDS);
    expect(await read(pieces, "1", node.ask)).toEqual({ ok: true, value: ["A", "B", "C", "D", "E", "F"] });
  });

  it("are of their block alone, and of eight blocks at the most", async () => {
    const pieces = new BlockPieces<string>();
    for (let block = 0; block < 9; block += 1) pieces.keep(String(block), "a", "A");
    expect([pieces.known("0", "a"), pieces.known("1", "a"), pieces.known("8", "a")]).toEqual([
      undefined,
      "A",
      "A",
    ]);
    // asking for a piece of a block moves the block to the end of the eviction order
    await pieces.piece("1", "b", async () => ok("B"));
    pieces.keep("9", "a", "A");
    expect([pieces.hasSome("1"), pieces.hasSome("2")]).toEqual([true, false]);
  });

  it("are requested first once one was read; after all were read, the whole block is", async () => {
    const pieces = new BlockPieces<string>();
    const node = limited(4);
    let wholes = 0;
    const whole = async (): Promise<Result<readonly string[]>> => {
      wholes += 1;
      return nodeAway("N", "it says 504", "too slow");
    };
    const reported = () => wholeOrPieces(pieces, "1", whole, () => read(pieces, "1", node.ask), isThere);
    expect((await reported()).ok).toBe(false);
    node.nextRound();
    expect((await reported()).ok).toBe(true);
    expect(wholes).toBe(1);
    node.nextRound();
    await reported();
    expect(wholes).toBe(2);
  });

  it("are kept if the node answers without the block, because it lacks it", async () => {
    const pieces = new BlockPieces<string>();
    pieces.keep("1", "a", "A");
    const away = async () => nodeAway("N", "it does not have the transaction");
    for (const [found, isKept] of [
      ["absent", true],
      ["whole", false],
    ] as const) {
      await wholeOrPieces(
        pieces,
        "1",
        async () => ok(found),
        away,
        (reported) => reported === "whole",
      );
      expect(pieces.hasSome("1")).toBe(isKept);
    }
  });

  it("that the node does not answer do not prevent reading the whole block", async () => {
    const pieces = new BlockPieces<string>();
    pieces.keep("1", "a", "A");
    const away = async () => nodeAway("N", "it does not have the transaction");
    expect(await wholeOrPieces(pieces, "1", async () => ok("whole"), away, isThere)).toEqual(ok("whole"));
    expect(pieces.hasSome("1")).toBe(false);
  });

  it("are not asked for where the whole fails otherwise", async () => {
    const pieces = new BlockPieces<string>();
    const reported = await wholeOrPieces(
      pieces,
      "1",
      async () => fail("ServiceUnavailable", {}),
      async () => ok("pieces"),
      isThere,
    );
    expect(reported.ok).toBe(false);
  });
});

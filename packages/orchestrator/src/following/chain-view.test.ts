import type { OwnBlock } from "@conclave/chains";
import { describe, expect, it } from "vitest";
import { blockIn, type ChainView, placesIn, upToHead, VIEW_BLOCKS, withBlock } from "./chain-view.ts";

/** A block whose parent is of the same branch, or of another one at a fork. */
const block = (height: number, branch = "a", parent = branch, holds: readonly string[] = []): OwnBlock => ({
  height: BigInt(height),
  hash: `${branch}${height}`,
  parentHash: `${parent}${height - 1}`,
  holds,
});
const hashes = (view: ChainView) => view.map(({ hash }) => hash);
const VIEW: ChainView = [block(5), block(6, "a", "a", ["0x1"]), block(7, "a", "a", ["0x2"])];

describe("the part of a chain's end that was read", () => {
  it("grows by blocks that name the last one", () => {
    expect(hashes(withBlock([], block(5)))).toEqual(["a5"]);
    expect(hashes(withBlock(VIEW, block(8)))).toEqual(["a5", "a6", "a7", "a8"]);
  });

  it("loses its last block to one that names another parent", () => {
    expect(hashes(withBlock(VIEW, block(8, "b")))).toEqual(["a5", "a6"]);
  });

  it("loses what lies above the head, and another block in the head's own place", () => {
    expect(hashes(upToHead(VIEW, { height: 6n, hash: "a6" }))).toEqual(["a5", "a6"]);
    expect(hashes(upToHead(VIEW, { height: 7n, hash: "b7" }))).toEqual(["a5", "a6"]);
    expect(hashes(upToHead(VIEW, { height: 9n, hash: "a9" }))).toEqual(["a5", "a6", "a7"]);
    expect(upToHead(VIEW, { height: 4n, hash: "a4" })).toEqual([]);
  });

  it("tells the block of a height, and of a transaction", () => {
    expect([4n, 5n, 7n, 8n].map((height) => blockIn(VIEW, height)?.hash)).toEqual([
      undefined,
      "a5",
      "a7",
      undefined,
    ]);
    expect(blockIn([], 5n)).toBeUndefined();
    expect([...placesIn(VIEW)].map(([hash, { height }]) => [hash, height])).toEqual([
      ["0x1", 6n],
      ["0x2", 7n],
    ]);
  });

  it("keeps so many blocks and no more", () => {
    let view: ChainView = [];
    for (let height = 1; height <= VIEW_BLOCKS + 3; height += 1) view = withBlock(view, block(height));
    expect([view.length, view.at(0)?.height, blockIn(view, 4n)?.height]).toEqual([VIEW_BLOCKS, 4n, 4n]);
  });
});

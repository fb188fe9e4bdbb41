import { expect, test } from "vitest";
import { olderStoreLines } from "./older-store-lines.ts";

test("each signer whose store was an older copy gets a line, with the command that ends this", () => {
  const signers = [
    { id: "signer-1", keysToRefresh: 1 },
    { id: "signer-2", keysToRefresh: 0 },
    { id: "signer-3", keysToRefresh: 12 },
  ];
  expect(olderStoreLines(signers)).toEqual([
    "",
    "signer-1 signs nothing with 1 key: its store was an older copy",
    "signer-3 signs nothing with 12 keys: its store was an older copy",
    expect.stringContaining("conclave refresh"),
  ]);
});

test("nothing is said where no signer has such a key", () => {
  expect(olderStoreLines([{ id: "signer-1", keysToRefresh: 0 }])).toEqual([]);
});

import type { OwnBlock } from "@conclave/chains";
import { fail, ok, type Result } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import type { ChainView } from "./chain-view.ts";
import { readBlocks } from "./read-blocks.ts";

const OURS = new Set(["0x1"]);

/** A chain up to a height, whose blocks from `fork` on are of another branch. */
const chainOf = (height: bigint, branch = "a", fork = 0n, unreadable?: bigint) => {
  const hashAt = (at: bigint) => `${at < fork ? "a" : branch}${at}`;
  const read: bigint[] = [];
  return {
    read,
    head: { height, hash: hashAt(height), confirmedHeight: height, finalHeight: height },
    node: {
      block: async (at: bigint, ours: ReadonlySet<string>): Promise<Result<OwnBlock | undefined>> => {
        read.push(at);
        if (at === unreadable) return fail("ServiceUnavailable");
        const holds = [...ours];
        return ok(
          at > height ? undefined : { height: at, hash: hashAt(at), parentHash: hashAt(at - 1n), holds },
        );
      },
    },
  };
};
const readAll = async (chain: ReturnType<typeof chainOf>, before: ChainView = []) =>
  readBlocks(chain.node, before, chain.head, OURS);
const hashes = (view: ChainView) => view.map(({ hash }) => hash);

describe("reading the blocks up to a head", () => {
  it("begins a little below it, and goes on from there", async () => {
    const { view } = await readAll(chainOf(100n));
    expect([view.at(0)?.height, view.at(-1)?.height, view.at(-1)?.holds]).toEqual([92n, 100n, ["0x1"]]);
    const further = chainOf(102n);
    expect((await readAll(further, view)).view).toHaveLength(11);
    expect(further.read).toEqual([101n, 102n]);
  });

  it("begins at the first block of a young chain", async () => {
    expect(hashes((await readAll(chainOf(2n))).view)).toEqual(["a0", "a1", "a2"]);
  });

  it("reads again what another branch undid, down to where both are one", async () => {
    const { view } = await readAll(chainOf(100n));
    const branch = chainOf(101n, "b", 98n);
    const after = (await readAll(branch, view)).view;
    expect(hashes(after).slice(-5)).toEqual(["a97", "b98", "b99", "b100", "b101"]);
    expect(branch.read).toEqual([101n, 100n, 99n, 98n, 99n, 100n, 101n]);
  });

  it("takes a head that came back lower, or another one of the same height, for what it is", async () => {
    const { view } = await readAll(chainOf(100n));
    expect(hashes((await readAll(chainOf(99n), view)).view).slice(-1)).toEqual(["a99"]);
    expect(hashes((await readAll(chainOf(100n, "b", 100n), view)).view).slice(-2)).toEqual(["a99", "b100"]);
    expect(hashes((await readAll(chainOf(100n, "b"), view)).view).slice(0, 1)).toEqual(["b92"]);
  });

  it("begins anew at the head when it is far behind: nobody waits for old blocks to be read", async () => {
    const { view } = await readAll(chainOf(100n));
    const far = chainOf(1_000n);
    expect((await readAll(far, view)).view.at(0)?.height).toBe(992n);
    expect(far.read).toHaveLength(9);
  });

  it("gives up on blocks of which none names another as its parent, and tells of them", async () => {
    const { node, head, read } = chainOf(100n);
    const unlinked = {
      block: async (at: bigint, ours: ReadonlySet<string>) => {
        const block = await node.block(at, ours);
        return block.ok && block.value !== undefined ? ok({ ...block.value, parentHash: "none" }) : block;
      },
    };
    const { unread } = await readBlocks(unlinked, [], head, OURS);
    expect([read.length < 32, unread?.problem.code]).toEqual([true, "ServiceUnavailable"]);
  });

  it("stops before a block that the node does not show, and tells which", async () => {
    const { view, unread } = await readAll(chainOf(100n, "a", 0n, 97n));
    expect([view.at(-1)?.height, unread?.height, unread?.problem.code]).toEqual([
      96n,
      97n,
      "ServiceUnavailable",
    ]);
  });
});

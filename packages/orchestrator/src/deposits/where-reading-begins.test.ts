import type { ChainNode } from "@conclave/chains";
import { fail, ok } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { LookBack, whereReadingBegins } from "./where-reading-begins.ts";

const NOW_MS = Date.parse("2026-01-02T12:00:00.000Z");
const FINAL = 1_000_000n;
const ago = (seconds: number): string => new Date(NOW_MS - 1_000 * seconds).toISOString();

/** A node with a block every `apart` seconds. */
const chain = ({
  apart = 10,
  dated = () => true,
  known = () => true,
}: {
  readonly apart?: number;
  readonly dated?: (height: bigint) => boolean;
  readonly known?: (height: bigint) => boolean;
} = {}) => {
  const asked: bigint[] = [];
  const node: Pick<ChainNode, "block"> = {
    block: async (height) => {
      asked.push(height);
      if (!known(height)) return ok(undefined);
      const date = dated(height) ? { date: ago(apart * Number(FINAL - height)) } : {};
      return ok({ height, hash: `0x${height}`, parentHash: "0x", holds: [], ...date });
    },
  };
  return { node, asked };
};
const begins = async (node: Pick<ChainNode, "block">, oldest: string | undefined, final = FINAL) => {
  const found = await whereReadingBegins(node, final, oldest, ago(0));
  if (!found.ok) expect.fail(found.problem.message);
  return found.value;
};

describe("K5 where reading begins", () => {
  it.each([0, 60, 200])(
    "is shortly before the first look, where the oldest wallet is %i s old",
    async (seconds) => {
      const { node, asked } = chain();
      expect(await begins(node, ago(seconds))).toEqual({ height: FINAL - 30n });
      expect(asked).toHaveLength(1);
    },
  );

  it.each([600, 3_600, 43_200, 86_000])(
    "is before the first block that could pay the oldest wallet, where it is %i s old",
    async (seconds) => {
      const { node, asked } = chain();
      const { height, unread } = await begins(node, ago(seconds));
      const first = FINAL - BigInt(seconds / 10) - 6n;
      expect([height < first, height > first - 100n, unread]).toEqual([true, true, undefined]);
      expect(asked.length).toBeLessThan(30);
    },
  );

  it("leaves a minute for clocks that differ, where thirty blocks are less", async () => {
    const { height } = await begins(chain({ apart: 1 }).node, ago(3_600));
    expect([height <= FINAL - 3_690n, height > FINAL - 3_760n]).toEqual([true, true]);
  });

  it("is a day before the first look, and is said to be, where the oldest wallet is older", async () => {
    const { height, unread } = await begins(chain().node, ago(30 * 86_400));
    expect([height < FINAL - 8_640n, height > FINAL - 8_800n, unread]).toEqual([true, true, "long ago"]);
  });

  it("is the first block on a young chain", async () => {
    expect(await begins(chain().node, ago(3_600), 30n)).toEqual({ height: 0n });
    expect((await begins(chain().node, undefined)).height).toBe(FINAL - 30n);
    const { node } = chain();
    const young: Pick<ChainNode, "block"> = {
      block: (height, ours) => node.block(height + FINAL - 200n, ours),
    };
    expect(await begins(young, ago(86_000), 200n)).toEqual({ height: 0n });
  });

  it("is where the node's blocks begin, and is said to be, where it has forgotten older ones", async () => {
    const { node } = chain({ known: (height) => height >= FINAL - 500n });
    const { height, unread } = await begins(node, ago(43_200));
    expect([height <= FINAL - 500n, height > FINAL - 540n, unread]).toEqual([true, true, "forgotten"]);
  });

  it("is not known while one node of several lags", async () => {
    const { node } = chain();
    let isFirst = true;
    const lagging: Pick<ChainNode, "block"> = {
      block: async (height, ours) => {
        if (!isFirst) return node.block(height, ours);
        isFirst = false;
        return ok(undefined);
      },
    };
    const early = await whereReadingBegins(lagging, FINAL, ago(3_600), ago(0));
    expect(early).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
    expect((await begins(lagging, ago(3_600))).unread).toBeUndefined();
    const none = { block: async () => ok(undefined) };
    expect(await whereReadingBegins(none, FINAL, ago(3_600), ago(0))).toMatchObject({ ok: false });
  });

  it("is found where dozens of blocks in a row have no dates, as slots of Solana whose leaders are away", async () => {
    const { node } = chain({ dated: (height) => height % 50n === 0n });
    const { height, unread } = await begins(node, ago(3_600));
    expect([height < FINAL - 366n, height > FINAL - 540n, unread]).toEqual([true, true, undefined]);
  });

  it("is found where some blocks have no dates, and where none has it is said to be shortly before", async () => {
    const { node } = chain({ dated: (height) => height % 5n === 0n });
    const { height, unread } = await begins(node, ago(3_600));
    expect([height < FINAL - 366n, height > FINAL - 480n, unread]).toEqual([true, true, undefined]);
    expect(await begins(chain({ dated: () => false }).node, ago(3_600))).toEqual({
      height: FINAL - 30n,
      unread: "undated",
    });
  });

  it("is not known while the node does not answer", async () => {
    const { node } = chain();
    let calls = 0;
    const failing: Pick<ChainNode, "block"> = {
      block: async (height, ours) => {
        calls += 1;
        return calls === 4 ? fail("ServiceUnavailable", {}) : node.block(height, ours);
      },
    };
    expect(await whereReadingBegins(failing, FINAL, ago(43_200), ago(0))).toMatchObject({
      ok: false,
      problem: { code: "ServiceUnavailable" },
    });
  });

  it("is found over several first looks at a node that answers few calls of each", async () => {
    const { node, asked } = chain();
    const search = new LookBack();
    let left = 0;
    const limited: Pick<ChainNode, "block"> = {
      block: async (height, ours) => {
        left -= 1;
        return left < 0 ? fail("ServiceUnavailable", {}) : node.block(height, ours);
      },
    };
    const all = await begins(node, ago(43_200));
    const whole = asked.splice(0).length;
    for (let look = 0; ; look += 1) {
      left = 4;
      const found = await whereReadingBegins(limited, FINAL, ago(43_200), ago(0), search);
      if (found.ok) {
        expect(found.value).toEqual(all);
        expect(look).toBeGreaterThan(1);
        // the first call of each look is for the usual block
        expect(asked.length).toBeLessThanOrEqual(whole + look);
        return;
      }
      expect(look).toBeLessThan(whole);
    }
  });
});

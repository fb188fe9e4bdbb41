import type { ChainNode } from "@conclave/chains";
import { type Asset, fail, ok } from "@conclave/custody";
import { beforeEach, describe, expect, it } from "vitest";
import { type DescribeTokens, tokenDescriber } from "./described-tokens.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let nowMs: number;
let asked: string[];
let describeTokens: DescribeTokens;
beforeEach(() => {
  [nowMs, asked] = [0, []];
  describeTokens = tokenDescriber({ monotonicMs: () => nowMs });
});

const node: Pick<ChainNode, "describeToken"> = {
  describeToken: async (token) => {
    asked.push(token);
    return token === "silent" ? fail("ServiceUnavailable") : ok({ symbol: token });
  },
};
const described = async (...tokens: string[]): Promise<readonly Asset[]> => [
  ...(await describeTokens(node, new Set(tokens))).values(),
];

describe("K8 the tokens of a block", () => {
  it("are asked once an hour", async () => {
    for (let block = 0; block < 3; block += 1) {
      expect(await described("a")).toEqual([{ symbol: "a" }]);
      nowMs += HOUR_MS / 3 - 1;
    }
    expect(asked).toEqual(["a"]);
    nowMs += 3;
    expect(await described("a")).toEqual([{ symbol: "a" }]);
    expect(asked).toEqual(["a", "a"]);
  });

  it("that do not answer are asked once a minute: the node may have been away", async () => {
    for (const wait of [0, MINUTE_MS - 1, 1]) {
      nowMs += wait;
      expect(await described("silent")).toEqual([{}]);
    }
    expect(asked).toEqual(["silent", "silent"]);
  });

  it("are asked ten at most, of those that are not known; the next block has the others asked", async () => {
    const tokens = Array.from({ length: 12 }, (_, at) => `t${at}`);
    const symbols = (assets: readonly Asset[]) => assets.map(({ symbol }) => symbol);
    expect(symbols(await described(...tokens))).toEqual([...tokens.slice(0, 10), undefined, undefined]);
    expect(symbols(await described(...tokens))).toEqual(tokens);
    expect(asked).toEqual(tokens);
  });

  it("are forgotten where there are more than a thousand, the oldest first", async () => {
    for (let at = 0; at < 1_001; at += 1) await described(`t${at}`);
    await described("t1", "t1000");
    expect(asked).toHaveLength(1_001);
    await described("t0");
    expect(asked).toHaveLength(1_002);
  });
});

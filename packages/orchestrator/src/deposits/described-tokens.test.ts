import type { ChainNode } from "@conclave/chains";
import { type Asset, fail, ok } from "@conclave/custody";
import { beforeEach, describe, expect, it } from "vitest";
import { type DescribeTokens, tokenDescriber } from "./described-tokens.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let nowMs: number;
let asked: string[];
let describeTokens: DescribeTokens;
/** Answers of tokens named "slow …"; each is sent when the test calls it. */
let answers: Map<string, () => void>;
beforeEach(() => {
  [nowMs, asked, answers] = [0, [], new Map()];
  // waits use up virtual time
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  describeTokens = tokenDescriber({ monotonicMs: () => nowMs, sleep });
});

const node: Pick<ChainNode, "describeToken"> = {
  describeToken: async (token) => {
    asked.push(token);
    if (token.startsWith("slow")) await new Promise<void>((resolve) => answers.set(token, resolve));
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

  it("hold blocks up for a tenth of the time at most, however many are slow", async () => {
    const HOUR_OF_BLOCKS = 1_800;
    let waitedMs = 0;
    for (let block = 0; block < HOUR_OF_BLOCKS; block += 1) {
      const beforeMs = nowMs;
      expect(await described(`slow ${block}`)).toEqual([{}]);
      waitedMs += nowMs - beforeMs;
      answers.get(`slow ${block}`)?.();
      nowMs += 2_000;
    }
    expect(waitedMs).toBeGreaterThan(0);
    expect(waitedMs).toBeLessThan(5_000 + nowMs / 10);
  });

  it("that are slow are asked on while blocks are read, and are known to the next one", async () => {
    expect(await described("slow")).toEqual([{}]);
    const waitedMs = nowMs;
    // the budget of waiting time is used up
    expect([await described("slow"), nowMs]).toEqual([[{}], waitedMs]);
    answers.get("slow")?.();
    await expect.poll(() => described("slow")).toEqual([{ symbol: "slow" }]);
    expect(asked).toEqual(["slow"]);
  });

  it("are asked ten at a time, those of earlier blocks among them", async () => {
    for (let block = 0; block < 20; block += 1) await described(`slow ${block}`);
    expect(asked).toHaveLength(10);
    for (const answer of answers.values()) answer();
    await expect.poll(() => described("a")).toEqual([{ symbol: "a" }]);
  });
});

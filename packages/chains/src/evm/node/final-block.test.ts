import { createClient, http } from "viem";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { finalBlock } from "./final-block.ts";

const HEAD = 100;
const BY_TAG = { confirmations: 3 };
const blockOf = (height: number) => ({
  number: `0x${height.toString(16)}`,
  hash: `0x${height.toString(16).padStart(64, "0")}`,
  transactions: [],
});

const callSchema = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()).default([]) });

/** A node whose first `answers` answers for the finalized block are empty. */
const nodeThatLacks = (answers: number) => {
  let lacking = answers;
  const answerTo = ({ method, params: [tag] }: z.infer<typeof callSchema>): unknown => {
    if (method === "eth_blockNumber") return blockOf(HEAD).number;
    if (tag !== "finalized") return blockOf(Number(tag));
    lacking -= 1;
    return lacking >= 0 ? null : blockOf(90);
  };
  const fetchFn: typeof fetch = async (_, init) => {
    const call = callSchema.parse(JSON.parse(String(init?.body)));
    return Response.json({ jsonrpc: "2.0", id: call.id, result: answerTo(call) });
  };
  return createClient({ transport: http("http://node", { fetchFn, retryCount: 0 }), cacheTime: 0 });
};

describe("the last block that nothing undoes", () => {
  it("is the finalized one", async () => {
    expect(await finalBlock(nodeThatLacks(0), BY_TAG)).toMatchObject({ number: 90n });
  });

  it("INV-6 is not one by its depth because one of several nodes has just started", async () => {
    const rpc = nodeThatLacks(1);
    await expect(finalBlock(rpc, BY_TAG)).rejects.toThrow("tells one at other times");
    expect(await finalBlock(rpc, BY_TAG)).toMatchObject({ number: 90n });
  });

  it("is one by its depth where the node says each time that it knows no finalized one", async () => {
    const rpc = nodeThatLacks(Number.POSITIVE_INFINITY);
    for (let times = 0; times < 2; times += 1) {
      expect(await finalBlock(rpc, BY_TAG)).toMatchObject({ number: BigInt(HEAD - 2) });
    }
  });

  it("is one by its depth where the entry says so, whatever the node tells", async () => {
    expect(await finalBlock(nodeThatLacks(0), { ...BY_TAG, finality: "depth" })).toMatchObject({
      number: 98n,
    });
  });
});

import { createTestClient, createWalletClient, http, publicActions } from "viem";
import { keccak256, toHex } from "viem/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Anvil, CONTRACT, SEPOLIA, startAnvil, TEST_ADDRESS } from "../../testing/index.ts";
import { mayHoldTopic } from "./bloom.ts";

/** Runtime code that writes a log without data; its topic is the first word of the call data. */
const LOGS_1 = "0x5f355f5fa100";
const POLL_MS = 10;

let anvil: Anvil;
beforeAll(async () => {
  anvil = await startAnvil(SEPOLIA.chainId);
  const control = createTestClient({ mode: "anvil", transport: http(anvil.rpcUrl) });
  await control.setCode({ address: CONTRACT, bytecode: LOGS_1 });
});
afterAll(() => anvil.stop());

describe("K5 the filter of a block's header", () => {
  it("holds the topic of its log, and few others, as a node of Ethereum writes it", async () => {
    const client = createWalletClient({ transport: http(anvil.rpcUrl) }).extend(publicActions);
    const topics = Array.from({ length: 64 }, (_, at) => keccak256(toHex(`topic ${at}`)));
    for (const topic of topics.slice(0, 8)) {
      const hash = await client.sendTransaction({
        account: TEST_ADDRESS,
        chain: null,
        to: CONTRACT,
        data: topic,
        gas: 100_000n,
      });
      const { blockHash } = await client.waitForTransactionReceipt({ hash, pollingInterval: POLL_MS });
      const { logsBloom } = await client.getBlock({ blockHash });
      expect(topics.filter((each) => mayHoldTopic(logsBloom, each))).toEqual([topic]);
    }
  });

  it("says nothing where it is none", () => {
    const topic = keccak256(toHex("topic"));
    for (const bloom of [undefined, null, "0x", `0x${"f".repeat(510)}`, 7]) {
      expect(mayHoldTopic(bloom, topic)).toBe(false);
    }
  });
});

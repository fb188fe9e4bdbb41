import { ok } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import type { SentTransaction } from "./chain.ts";
import { SentBlocks } from "./sent-blocks.ts";
import { authorisedTron, TRX_TRANSFER } from "./testing/tron-samples.ts";

const ACT = authorisedTron(TRX_TRANSFER);
const SECOND_MS = 1_000;

/** A chain with a block per second, some of which hold transactions of the account. */
const chainOf = (last: number, sentAt: readonly number[] = []) => {
  const chain = { last, settled: last, read: [] as number[], sentAt: [...sentAt] };
  const sentOf = (height: number): SentTransaction => {
    const bytes = Uint8Array.of(height % 256, Math.floor(height / 256));
    return { unsigned: bytes, signed: bytes, txHash: `tx-${height}` };
  };
  const memory = new SentBlocks();
  const find = (sinceHeight: number, wanted: string | undefined, sender = "an account") =>
    memory.find(
      {
        network: "TestNetwork",
        sender,
        last: BigInt(chain.last),
        settled: BigInt(chain.settled),
        timeMsOf: async (height) => ok(Number(height) * SECOND_MS),
        sentIn: async (height) => {
          chain.read.push(Number(height));
          return ok(chain.sentAt.includes(Number(height)) ? [sentOf(Number(height))] : []);
        },
      },
      {
        act: ACT,
        sinceMs: sinceHeight * SECOND_MS,
        places: undefined,
        isIt: async ({ txHash }) => txHash === wanted,
      },
    );
  return { chain, find };
};
const AWAY = { ok: false, problem: { code: "ServiceUnavailable" } };

describe("INV-4 the transactions that an account has sent, block by block,", () => {
  it("is read once of each settled block, however many requests look for theirs", async () => {
    const { chain, find } = chainOf(200, [120, 150]);
    expect(await find(100, "tx-150")).toMatchObject({ ok: true, value: { txHash: "tx-150" } });
    for (let request = 0; request < 50; request += 1)
      expect(await find(100, undefined)).toEqual(ok(undefined));
    expect(await find(130, "tx-150")).toMatchObject({ ok: true, value: { txHash: "tx-150" } });
    expect(await find(130, "tx-120")).toEqual(ok(undefined));
    expect(await find(100, "tx-120")).toMatchObject({ ok: true, value: { txHash: "tx-120" } });
    expect(chain.read.length).toBe(new Set(chain.read).size);
  });

  it("goes on from look to look, and finds what an earlier look has passed", async () => {
    const { chain, find } = chainOf(1_000, [10]);
    expect(await find(0, "none")).toMatchObject(AWAY);
    expect(chain.read.length).toBe(320);
    expect(await find(0, "tx-10")).toMatchObject({ ok: true, value: { txHash: "tx-10" } });
    for (let look = 0; look < 2; look += 1) expect(await find(0, "none")).toMatchObject(AWAY);
    expect(await find(0, "none")).toEqual(ok(undefined));
    expect(chain.read).toEqual(Array.from({ length: 1_001 }, (_, height) => height));
  });

  it("is read again of blocks that may be undone", async () => {
    const { chain, find } = chainOf(100);
    chain.settled = 90;
    expect(await find(80, "tx-95")).toEqual(ok(undefined));
    chain.sentAt.push(95);
    expect(await find(80, "tx-95")).toMatchObject({ ok: true, value: { txHash: "tx-95" } });
    expect(chain.read.filter((height) => height <= 90)).toHaveLength(11);
  });

  it("is read from further back for a request that is older, and apart for another account", async () => {
    const { find } = chainOf(100, [50]);
    expect(await find(70, "tx-50")).toEqual(ok(undefined));
    expect(await find(40, "tx-50")).toMatchObject({ ok: true, value: { txHash: "tx-50" } });
    expect(await find(40, "tx-50", "another account")).toMatchObject({ ok: true });
    expect(await find(60, "tx-50")).toEqual(ok(undefined));
  });
});

import { describe, expect, it } from "vitest";
import { PROCESS_TURNS } from "../../turns/node/in-turns.ts";
import { connectForBlocks, connectRpc } from "./rpc.ts";

describe("K5 a call to a node", () => {
  it("ends after a time of its own, which is longer for the smallest pieces of a block", async () => {
    const signals = new Map<AbortSignal, number>();
    const timeout = (ms: number): AbortSignal => {
      const { signal } = new AbortController();
      signals.set(signal, ms);
      return signal;
    };
    const times: (number | undefined)[] = [];
    const wire = {
      fetch: async (_: unknown, init?: RequestInit) => {
        times.push(init?.signal ? signals.get(init.signal) : undefined);
        const reported = { jsonrpc: "2.0", id: 0, result: "0x1" };
        return Response.json(String(init?.body).startsWith("[") ? [reported] : reported);
      },
      timeout,
      rest: () => expect.fail("the node is left alone"),
      turns: PROCESS_TURNS,
    };
    const network = { rpcUrl: "http://127.0.0.1:9", confirmations: 1 };
    const { alone, together, piece } = connectForBlocks(network, connectRpc(network, wire), wire);
    for (const rpc of [alone, together, piece]) {
      expect(await rpc.request({ method: "eth_blockNumber" })).toBe("0x1");
    }
    expect(times).toEqual([5_000, 5_000, 60_000]);
  });
});

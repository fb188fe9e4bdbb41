import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ChainNode, type NetworkEntry, type NodeSurroundings, nodesOver } from "./node.ts";
import { stellarNode } from "./stellar/node/node.ts";
import { stellarContractAddress } from "./stellar/rules/address.ts";
import { ALGORAND_TESTNET } from "./testing/algorand-samples.ts";
import { BITCOIN_SIGNET } from "./testing/bitcoin-samples.ts";
import { SEPOLIA } from "./testing/samples.ts";
import { SOLANA_DEVNET } from "./testing/solana-samples.ts";
import { SEP41_TRANSFER, STELLAR_TESTNET } from "./testing/stellar-samples.ts";
import { TRON_NILE } from "./testing/tron-samples.ts";
import { XRPL_TESTNET } from "./testing/xrpl-samples.ts";

const EVM = { ...SEPOLIA, family: "Evm", rpcUrl: "http://127.0.0.1:9", confirmations: 1 } as const;
const NETWORKS: readonly NetworkEntry[] = [
  EVM,
  ALGORAND_TESTNET,
  XRPL_TESTNET,
  SOLANA_DEVNET,
  STELLAR_TESTNET,
  BITCOIN_SIGNET,
  TRON_NILE,
];

let nowMs: number;
let asked: number;
let timeouts: number[];
let answer: (signal: AbortSignal | null | undefined) => Promise<Response>;
const ended = new DOMException("it takes too long", "TimeoutError");
const surroundings: NodeSurroundings = {
  fetch: (_, init) => {
    asked += 1;
    return answer(init?.signal);
  },
  monotonicMs: () => nowMs,
  timeout: (ms) => {
    timeouts.push(ms);
    return AbortSignal.abort(ended);
  },
};

beforeEach(() => {
  [nowMs, asked, timeouts] = [0, 0, []];
  const outside = (): never => expect.fail("a node is reached beside what was handed in");
  vi.stubGlobal("fetch", outside);
  vi.spyOn(AbortSignal, "timeout").mockImplementation(outside);
  vi.spyOn(performance, "now").mockImplementation(outside);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe.each(NETWORKS.map((entry) => [entry.family, entry] as const))("a node of %s", (_, entry) => {
  const head = (): ReturnType<ChainNode["head"]> => nodesOver(surroundings).connect(entry).head();

  it("is asked by the fetch and for the time that were handed in", async () => {
    answer = (signal) => Promise.reject(signal?.reason);
    expect(await head()).toMatchObject({
      ok: false,
      problem: { code: "ServiceUnavailable", details: { hurdle: "too slow" } },
    });
    expect(asked).toBeGreaterThan(0);
    expect(timeouts).toHaveLength(asked);
  });

  it("that asks for fewer requests is left alone by the clock that was handed in", async () => {
    answer = async () => new Response("{}", { status: 429 });
    const node = nodesOver(surroundings).connect(entry);
    const isAsked = async (): Promise<boolean> => {
      const before = asked;
      expect(await node.head()).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
      return asked > before;
    };
    expect([await isAsked(), await isAsked()]).toEqual([true, false]);
    nowMs = 1_000;
    expect(await isAsked()).toBe(true);
  });
});

it("the Stellar RPC beside Horizon is asked by the fetch that was handed in as well", async () => {
  answer = async () => Response.json({ jsonrpc: "2.0", id: 1, result: { entries: [{}] } });
  const node = stellarNode({ ...STELLAR_TESTNET, rpcUrl: "http://127.0.0.1:9/rpc" }, surroundings);
  const to = stellarContractAddress(new Uint8Array(32).fill(9));
  expect(await node.judgeRecipient?.({ ...SEP41_TRANSFER, to })).toMatchObject({ ok: true });
  expect([asked, timeouts.length]).toEqual([1, 1]);
});

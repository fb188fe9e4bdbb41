import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Arrival, ChainNode } from "../../../chain.ts";
import { SEPOLIA } from "../../../testing/index.ts";
import type { EvmNetwork } from "../../network.ts";
import { evmNode } from "../node.ts";

const OURS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const HASH = `0x${"ab".repeat(32)}`;
const PAYMENT = { hash: `0x${"01".repeat(32)}`, blockHash: HASH, from: OURS, to: OURS, value: "0x5" };
const BROUGHT: readonly Partial<Arrival>[] = [{ txHash: PAYMENT.hash, place: "value" }];

const callSchema = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()).default([]) });
type Call = z.infer<typeof callSchema>;
type Answer = { readonly result: unknown } | { readonly error: { code: number; message: string } };
type Status = (calls: readonly Call[]) => number | undefined;

let server: Server;
let asked: Call[];
let largestBatch: number;
/** the node's finalized block, and its last block */
let finality: { readonly tag: Answer; readonly head?: string };
/** whether the node has the block that is read */
let hasBlock: boolean;
/** an HTTP status that is answered instead */
let status: Status;

const result = (value: unknown): Answer => ({ result: value });
const finalAt = (number: string): Answer => result({ number });
const refusal = (code: number, message: string): Answer => ({ error: { code, message } });
const UNKNOWN_TAG = refusal(-32_602, "invalid argument 0: unknown block tag");

const answerTo = ({ method, params: [first, second] }: Call): Answer => {
  switch (method) {
    case "eth_blockNumber":
      return result(finality.head);
    case "eth_getBlockByNumber": {
      if (first === "finalized") return finality.tag;
      const transactions = [second === true ? PAYMENT : PAYMENT.hash];
      return result(hasBlock ? { hash: HASH, transactions } : null);
    }
    case "eth_getTransactionByHash":
      return result(PAYMENT);
    case "eth_getTransactionReceipt":
      return result({ blockHash: HASH, status: "0x1", logs: [] });
    default:
      return result([]);
  }
};

beforeEach(async () => {
  [asked, largestBatch, hasBlock, status] = [[], 0, true, () => undefined];
  server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const given: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const calls = z.array(callSchema).parse(Array.isArray(given) ? given : [given]);
    asked.push(...calls);
    largestBatch = Math.max(largestBatch, calls.length);
    const answers = calls.map((call) => ({ jsonrpc: "2.0", id: call.id, ...answerTo(call) }));
    response.writeHead(status(calls) ?? 200);
    response.end(JSON.stringify(Array.isArray(given) ? answers : answers[0]));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const connect = (entry: Partial<EvmNetwork> = {}): ChainNode => {
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return evmNode({ ...SEPOLIA, rpcUrl: `http://127.0.0.1:${port}`, confirmations: 1, ...entry });
};
const read = async (node = connect()): Promise<readonly Arrival[] | undefined | string> => {
  const found = await node.arrivals?.(100n, async () => new Set([OURS]));
  if (found === undefined) throw new Error("it detects nothing");
  return found.ok ? found.value : `${found.problem.code}: ${found.problem.message}`;
};
const times = (method: string): number => asked.filter((call) => call.method === method).length;
const timesOfFinality = (): number =>
  asked.filter(({ method, params }) => method === "eth_blockNumber" || params[0] === "finalized").length;

describe("a block of a node that", () => {
  const NOT_FINAL = /^ServiceUnavailable: .*it does not call block 100 final yet/;
  const hasWhole = ({ params }: Call): boolean => params[1] === true;

  it.each<readonly [string, (calls: readonly Call[]) => number | undefined]>([
    ["beside its logs", () => undefined],
    ["by itself", (calls) => (calls.length > 2 ? 413 : undefined)],
    ["without its transactions", (calls) => (calls.length > 1 && calls.some(hasWhole) ? 413 : undefined)],
    ["in no batch", (calls) => (calls.length > 1 ? 413 : undefined)],
    ["in no batch, in pieces", (calls) => (calls.length > 1 || calls.some(hasWhole) ? 413 : undefined)],
  ])("K5 does not call it final is read again later, and not in pieces: asked %s", async (_, statusOf) => {
    [status, finality] = [statusOf, { tag: finalAt("0x63") }];
    expect(await read()).toMatch(NOT_FINAL);
    expect(times("eth_getBlockReceipts") + times("eth_getTransactionReceipt")).toBe(0);
    finality = { tag: finalAt("0x64") };
    expect(await read()).toMatchObject(BROUGHT);
  });

  it("K5 does not call it final, and does not have it, is not forgotten", async () => {
    hasBlock = false;
    finality = { tag: finalAt("0x63") };
    expect(await read()).toMatch(NOT_FINAL);
    finality = { tag: finalAt("0x64") };
    expect(await read()).toBeUndefined();
  });

  it.each([
    ["refuses to tell", refusal(4444, "pruned history unavailable")],
    ["tells no number of", result({})],
  ])("K5 %s how far its chain is final is read again later", async (_, reported) => {
    finality = { tag: reported };
    expect(await read()).toMatch(/^ServiceUnavailable/);
  });

  it("K5 is of a network whose blocks are final by depth is asked for its height beside it", async () => {
    const node = connect({ confirmations: 3, finality: "depth" });
    finality = { tag: UNKNOWN_TAG, head: "0x65" };
    expect(await read(node)).toMatch(NOT_FINAL);
    finality = { tag: UNKNOWN_TAG, head: "0x66" };
    expect(await read(node)).toMatchObject(BROUGHT);
    expect([timesOfFinality(), times("eth_blockNumber"), largestBatch]).toEqual([2, 2, 3]);
  });

  it.each([
    ["says so", UNKNOWN_TAG],
    ["tells no block", result(null)],
  ])("K5 knows no finalized block, and %s, is asked for its height from then on", async (_, said) => {
    const node = connect({ confirmations: 3 });
    finality = { tag: said, head: "0x65" };
    expect(await read(node)).toMatch(NOT_FINAL);
    finality = { tag: said, head: "0x66" };
    expect(await read(node)).toMatchObject(BROUGHT);
    expect([timesOfFinality(), times("eth_blockNumber")]).toEqual([14, 2]);
  });

  it("K5 has reported a finalized block, and reports none, is asked again later, and never by depth", async () => {
    const node = connect();
    finality = { tag: finalAt("0x64"), head: "0xff" };
    expect(await node.head()).toMatchObject({ ok: true, value: { finalHeight: 100n } });
    for (const said of [UNKNOWN_TAG, result(null)]) {
      finality = { tag: said, head: "0xff" };
      expect(await read(node)).toMatch(/^ServiceUnavailable: .*tells no finalized block/);
    }
    expect(times("eth_blockNumber")).toBe(1);
  });

  it("K5 knew no finalized block, and tells one, is believed by its depth no more", async () => {
    const node = connect();
    finality = { tag: result(null), head: "0xff" };
    expect(await read(node)).toMatchObject(BROUGHT);
    finality = { tag: finalAt("0x63"), head: "0xff" };
    expect(await node.head()).toMatchObject({ ok: true, value: { finalHeight: 99n } });
    expect(await read(node)).toMatch(NOT_FINAL);
  });
});

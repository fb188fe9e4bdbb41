import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { abiFunctionSchema } from "@conclave/custody";
import { afterEach, beforeEach, expect, it } from "vitest";
import { callContract, callFunction } from "./call-contract.ts";
import { connectRpc } from "./rpc.ts";

const CONTRACT = `0x${"5a".repeat(20)}`;
const store = abiFunctionSchema.parse({
  type: "function",
  name: "store",
  stateMutability: "view",
  inputs: [{ name: "it", type: "bytes" }],
  outputs: [],
});

let visits: number;
let result: string;
let node: Server;
let rpcUrl: string;
beforeEach(async () => {
  visits = 0;
  result = "0x";
  node = createServer((request, response) => {
    visits += 1;
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
  });
  node.listen(0, "127.0.0.1");
  await once(node, "listening");
  const address = node.address();
  rpcUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterEach(() => {
  node.close();
});

it.each([
  [130_976, 1],
  [130_977, 0],
  [300_000, 0],
])(
  "INV-9 K8 the node is asked for a call with %i bytes %i times: 128 KiB is the most",
  async (bytes, asked) => {
    const given = [`0x${"00".repeat(bytes)}`];
    const { ok } = await callFunction("EthereumSepolia", connectRpc({ rpcUrl }), CONTRACT, store, given);
    expect([ok, visits]).toEqual([asked === 1, asked]);
  },
);

it.each([
  [131_072, true],
  [131_073, false],
])("INV-9 K8 an answer of %i bytes is handed on: %s, 128 KiB is the most", async (bytes, isHandedOn) => {
  result = `0x${"ab".repeat(bytes)}`;
  const answered = await callContract("EthereumSepolia", connectRpc({ rpcUrl }), CONTRACT, "0x01");
  expect(answered).toMatchObject(
    isHandedOn ? { ok: true, value: result } : { ok: false, problem: { code: "ExecutionReverted" } },
  );
});

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { encodeErrorResult, parseAbi, toFunctionSelector } from "viem";
import { call } from "viem/actions";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { callContract } from "./call-contract.ts";
import { connectRpc, connectTogether, type Rpc } from "./rpc.ts";

const CONTRACT = `0x${"5a".repeat(20)}` as const;

/** Makes the server listen on a port of this machine. @returns its address */
const listening = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
};

const callSchema = z.looseObject({ id: z.number() });
const servers: Server[] = [];
let visits: number;
let rpcUrl: string;
beforeEach(async () => {
  visits = 0;
  const inside = createServer((_, response) => {
    visits += 1;
    response.end(JSON.stringify({ data: "0x01" }));
  });
  const data = encodeErrorResult({
    abi: parseAbi([
      "error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)",
    ]),
    args: [CONTRACT, [await listening(inside)], "0x01", toFunctionSelector("function back()"), "0x"],
  });
  const error = { code: 3, message: "execution reverted", data };
  const node = createServer(async (request, response) => {
    const asked: unknown = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const answered = (one: unknown) => ({ jsonrpc: "2.0", id: callSchema.parse(one).id, error });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answered) : answered(asked)));
  });
  rpcUrl = await listening(node);
  servers.push(inside, node);
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

it.each<[string, (network: { rpcUrl: string }) => Rpc]>([
  ["alone", connectRpc],
  ["with others", connectTogether],
])("a contract that is asked %s sends nobody to an address of its choice (ERC-3668)", async (_, connect) => {
  await expect(call(connect({ rpcUrl }), { to: CONTRACT, data: "0x00000000" })).rejects.toThrow("reverted");
  expect(visits).toBe(0);
});

it("INV-9 a caller who reads such a contract gets its refusal", async () => {
  const read = await callContract("EthereumSepolia", connectRpc({ rpcUrl }), CONTRACT, "0x00000000");
  expect(read).toMatchObject({ ok: false, problem: { code: "ExecutionReverted" } });
  expect(visits).toBe(0);
});

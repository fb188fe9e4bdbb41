import { createServer, type Server } from "node:http";
import { keccak256 } from "viem";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { FEES, NATIVE, SEPOLIA, TEST_SECRET_KEY, testAccount } from "../../testing/index.ts";
import { attachSignatures } from "../attach.ts";
import { buildTransfer } from "../transaction.ts";
import { evmNode } from "./node.ts";

const account = testAccount(TEST_SECRET_KEY);
const unsigned = buildTransfer({
  chainId: SEPOLIA.chainId,
  nonce: 0n,
  fees: FEES,
  gasLimit: 21_000n,
  transfer: NATIVE,
});
const attached = attachSignatures(
  unsigned,
  [account.sign(keccak256(unsigned, "bytes"))],
  [account.publicKey],
);
if (!attached.ok) throw new Error(attached.problem.message);
const { signed, txHash } = attached.value;
const own = [{ unsigned, signed }];

/** The chain as one replica knows it. */
interface Replica {
  /** height of its last block, which it calls final */
  readonly height: number;
  /** number of the account's transactions in its blocks */
  readonly count: number;
  /** whether it has our transaction, in a block or in its pool */
  readonly knows: boolean;
  /** distinguishes its blocks from those of another fork */
  readonly fork?: string;
  /** if set, the id of another chain than the entry's */
  readonly chainId?: number;
}

const blockOf = (height: number, fork = "aa") => ({
  number: `0x${height.toString(16)}`,
  hash: `0x${fork.repeat(31)}${height.toString(16).padStart(2, "0")}`,
  parentHash: `0x${"00".repeat(32)}`,
  transactions: [],
});

const callSchema = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()).default([]) });
type Call = z.infer<typeof callSchema>;

const answer = (
  { height, count, knows, fork, chainId = SEPOLIA.chainId }: Replica,
  { method, params }: Call,
): unknown => {
  switch (method) {
    case "eth_blockNumber":
      return blockOf(height).number;
    case "eth_getBlockByNumber": {
      const asked = params[0];
      if (asked === "finalized" || asked === "latest") return blockOf(height, fork);
      return Number(asked) <= height ? blockOf(Number(asked), fork) : null;
    }
    case "eth_chainId":
      return `0x${chainId.toString(16)}`;
    case "eth_getTransactionCount":
      return `0x${count.toString(16)}`;
    case "eth_getTransactionByHash":
      return knows && params[0] === txHash ? { hash: txHash } : null;
    case "eth_getTransactionReceipt":
      return null;
    default:
      throw new Error(`${method} is not scripted`);
  }
};

let server: Server;
/** A load balancer: each HTTP request goes to the next replica. */
const balanced = async (...replicas: readonly Replica[]) => {
  let turn = 0;
  server = createServer((request, response) => {
    const replica = replicas[turn % replicas.length];
    turn += 1;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      const said = (call: Call) => ({
        jsonrpc: "2.0",
        id: call.id,
        result: replica === undefined ? null : answer(replica, call),
      });
      const calls = z.union([callSchema, z.array(callSchema)]).parse(body);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(Array.isArray(calls) ? calls.map(said) : said(calls)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const rpcUrl = `http://127.0.0.1:${address.port}`;
  return evmNode({ ...SEPOLIA, rpcUrl, confirmations: 1 });
};
afterEach(() => server.close());

const fateOn = async (...replicas: readonly Replica[]): Promise<string> => {
  const node = await balanced(...replicas);
  const fate = await node.fateOf(account.address, own);
  return fate.ok ? fate.value.kind : fate.problem.code;
};

const landed: Replica = { height: 9, count: 1, knows: true };
const lagging: Replica = { height: 3, count: 0, knows: false };
const displaced: Replica = { height: 9, count: 1, knows: false };

describe("the fate of a transaction behind a load balancer", () => {
  it("INV-4 is never death by the count of a fresh replica and the ignorance of a lagging one", async () => {
    for (const order of [
      [landed, lagging],
      [lagging, landed],
      [landed, lagging, lagging],
      [landed, landed, lagging],
      // with a request per question, the fourth request, for the hash, would reach the lagging one
      [landed, landed, landed, lagging],
    ]) {
      expect(await fateOn(...order)).not.toBe("dead");
    }
  });

  it("is no verdict of a node that does not know the final block", async () => {
    expect(await fateOn(landed, lagging)).toBe("ServiceUnavailable");
  });

  it("is no verdict of a node on another fork", async () => {
    expect(await fateOn(displaced, { ...displaced, fork: "bb" })).toBe("ServiceUnavailable");
  });

  it("INV-4 is no verdict of a node of another chain, where the account has gone on", async () => {
    const stray = { ...displaced, chainId: 1 };
    expect(await fateOn(stray)).toBe("ServiceUnavailable");
    expect(await fateOn(displaced, stray)).toBe("ServiceUnavailable");
  });

  it("is death when one node has both: the count in the final block, and no such hash", async () => {
    expect(await fateOn(displaced)).toBe("dead");
    expect(await fateOn(displaced, displaced, lagging)).toBe("dead");
  });

  it("is open as long as the nonce is free, or the hash is known", async () => {
    expect(await fateOn({ ...displaced, count: 0 })).toBe("open");
    expect(await fateOn(landed)).toBe("open");
  });
});

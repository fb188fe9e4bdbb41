import { createServer, type Server } from "node:http";
import { NODES } from "@conclave/chains/node";
import { ok } from "@conclave/custody";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { openWatchedWallet, type WatchedWallet } from "../testing/watched-wallet.ts";
import { watchDeposits } from "./watch-deposits.ts";

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const TOKEN = `0x${"22".repeat(20)}`;
const hex = (number: bigint | number): string => `0x${number.toString(16)}`;
const word = (text: string): string => `0x${text.replace(/^0x/, "").toLowerCase().padStart(64, "0")}`;
const [STANDS, AT, FINAL, HEAD] = [1_000n, 1_005n, 1_010n, 1_020n];

const callSchema = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()).default([]) });
type Call = z.infer<typeof callSchema>;

/** One of several nodes behind an address. */
interface Replica {
  /** the branch of its blocks, two hex digits */
  readonly branch: string;
  readonly head: bigint;
  readonly final: bigint;
}
const GOOD: Replica = { branch: "aa", head: HEAD, final: FINAL };
/** its head is a block that the chain dropped */
const LAGGING: Replica = { branch: "bb", head: AT, final: STANDS };

let watched: WatchedWallet;
let server: Server;
/** the replica that receives the batch about the block of the payment */
let handed: Replica;

const blockOf = ({ branch }: Replica, height: bigint, isWhole: boolean) => {
  const hashAt = (at: bigint) => `0x${branch.repeat(28)}${at.toString(16).padStart(8, "0")}`;
  const paying = { hash: word(`${branch}01`), from: TOKEN, to: TOKEN, value: "0x0" };
  return {
    number: hex(height),
    hash: hashAt(height),
    parentHash: hashAt(height - 1n),
    timestamp: "0x65000000",
    transactions: height === AT ? [isWhole ? paying : paying.hash] : [],
  };
};
const logsOf = (replica: Replica, height: bigint) => {
  const block = blockOf(replica, height, false);
  return block.transactions.map((transactionHash) => ({
    address: TOKEN,
    topics: [TRANSFER, word("11".repeat(20)), word(watched.wallet.address)],
    data: word("7"),
    blockHash: block.hash,
    transactionHash,
    logIndex: "0x0",
  }));
};
const answer = ({ method, params: [first, second] }: Call, replica: Replica): unknown => {
  switch (method) {
    case "eth_chainId":
      return hex(watched.world.network.chainId);
    case "eth_blockNumber":
      return hex(replica.head);
    case "eth_syncing":
      return false;
    case "eth_getBlockByNumber": {
      const height = first === "finalized" ? replica.final : BigInt(String(first));
      return height > replica.head ? null : blockOf(replica, height, second === true);
    }
    case "eth_getLogs":
      return logsOf(replica, BigInt(z.object({ fromBlock: z.string() }).parse(first).fromBlock));
    default:
      return null;
  }
};

beforeEach(async () => {
  watched = await openWatchedWallet();
  server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const given: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const calls = z.array(callSchema).parse(Array.isArray(given) ? given : [given]);
    const isOfPayment = Array.isArray(given) && calls.some(({ params }) => params[0] === hex(AT));
    const answers = calls.map((call) => ({
      jsonrpc: "2.0",
      id: call.id,
      result: answer(call, isOfPayment ? handed : GOOD),
    }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(Array.isArray(given) ? answers : answers[0]));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await watched.world.stop();
});

it("K5 a deposit is read from the final block, and never from an orphan that is the tip of a node that lags", async () => {
  // reading has come to a block that the address shows
  await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), STANDS)));
  await watched.world.orchestratorDatabase.execute("update read_blocks set hash = null", []);
  const { port } = z.object({ port: z.int() }).parse(server.address());
  const node = {
    ...NODES.connect({ ...watched.world.network, ...{ rpcUrl: `http://127.0.0.1:${port}` } }),
    describeToken: async () => ok({}),
  };
  const watch = () => watchDeposits(watched.watchWith(node));
  handed = LAGGING;
  for (let round = 0; round < 3; round += 1) await watch();
  expect(await watched.stored()).toEqual([]);
  expect(watched.counts.unread).toBe(Number(FINAL - AT) + 1);
  handed = GOOD;
  await watch();
  expect(await watched.stored()).toEqual([{ tx_hash: word("aa01") }]);
  expect(watched.counts).toMatchObject({ unread: 0, passedOver: 0 });
});

import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Arrival, ChainNode } from "../../../chain.ts";
import { SEPOLIA } from "../../../testing/index.ts";
import { withLittlePatience } from "../../../testing/little-patience.ts";
import { evmNode } from "../node.ts";

const OURS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const STRANGER = `0x${"11".repeat(20)}`;
const TOKEN = `0x${"22".repeat(20)}`;
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const [HASH, OTHER] = [`0x${"ab".repeat(32)}`, `0x${"cd".repeat(32)}`];
const word = (hex: string): string => `0x${hex.replace(/^0x/, "").toLowerCase().padStart(64, "0")}`;
const TRANSACTIONS = Array.from({ length: 20 }, (_, index) => ({
  hash: word((index + 1).toString(16)),
  blockHash: HASH,
  from: STRANGER,
  to: index === 3 ? OURS.toLowerCase() : TOKEN,
  value: index === 3 ? "0x5" : "0x0",
}));
const logOf = (transactionHash: string, topic: string, amount: string) => ({
  address: TOKEN,
  topics: [topic, word(STRANGER), word(OURS)],
  data: word(amount),
  blockHash: HASH,
  transactionHash,
});
/** Logs of the seventh transaction only: one of another event, and two of a token. */
const logsOf = (hash: string) =>
  hash === TRANSACTIONS[6]?.hash
    ? [logOf(hash, OTHER, "1"), logOf(hash, TRANSFER, "7"), logOf(hash, TRANSFER, "8")]
    : [];
const RECEIPTS = TRANSACTIONS.map(({ hash }) => ({
  transactionHash: hash,
  blockHash: HASH,
  blockNumber: "0x64",
  status: "0x1",
  logs: logsOf(hash),
}));
const ALL: readonly Partial<Arrival>[] = [
  { txHash: TRANSACTIONS[3]?.hash ?? "", place: "value" },
  { txHash: TRANSACTIONS[6]?.hash ?? "", place: "log 0" },
  { txHash: TRANSACTIONS[6]?.hash ?? "", place: "log 1" },
];

const callSchema = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) });
type Call = z.infer<typeof callSchema>;
class Refusal {
  readonly code: number;
  readonly message: string;
  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}
/** The node's answer to a call, instead of its honest one; undefined for the honest one. */
type Bend = (call: Call) => unknown;

let server: Server;
let asked: Call[];
let largestBatch: number;
let bend: Bend;
/** a status that is answered instead, by the calls of a request */
let status: (calls: readonly Call[]) => number | undefined;
/** how many bytes precede the answer to a request; "silence" for an answer that begins and never ends */
let before: (calls: readonly Call[]) => number | "silence";

const honest = ({ method, params }: Call): unknown => {
  const named = (all: readonly { readonly hash: string }[]) =>
    all.findIndex(({ hash }) => hash === params[0]);
  switch (method) {
    case "eth_getBlockByNumber":
      return {
        hash: HASH,
        transactions: params[1] === true ? TRANSACTIONS : TRANSACTIONS.map(({ hash }) => hash),
      };
    case "eth_getLogs":
      return TRANSACTIONS.flatMap(({ hash }) => logsOf(hash)).filter(({ topics }) => topics[0] === TRANSFER);
    case "eth_getBlockReceipts":
      return RECEIPTS;
    case "eth_getTransactionReceipt":
      return RECEIPTS[named(TRANSACTIONS)] ?? null;
    case "eth_getTransactionByHash":
      return TRANSACTIONS[named(TRANSACTIONS)] ?? null;
    default:
      return new Refusal(-32601, "the method does not exist");
  }
};
const answerTo = (call: Call) => {
  const said = call.params[0] === "finalized" ? { number: "0x64" } : bend(call);
  const result = said === undefined ? honest(call) : said;
  const head = { jsonrpc: "2.0", id: call.id };
  return result instanceof Refusal
    ? { ...head, error: { code: result.code, message: result.message } }
    : { ...head, result };
};

beforeEach(async () => {
  asked = [];
  largestBatch = 0;
  [bend, status, before] = [() => undefined, () => undefined, () => 0];
  server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const given = z
      .union([callSchema, z.array(callSchema)])
      .parse(JSON.parse(Buffer.concat(chunks).toString()));
    const calls = Array.isArray(given) ? given : [given];
    asked.push(...calls);
    largestBatch = Math.max(largestBatch, calls.length);
    const refused = status(calls);
    if (refused !== undefined) {
      response.writeHead(refused).end("no");
      return;
    }
    const first = before(calls);
    if (first === "silence") {
      response.writeHead(200).write(" ");
      return;
    }
    response.write(" ".repeat(first));
    response.end(JSON.stringify(Array.isArray(given) ? given.map(answerTo) : answerTo(given)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const connect = (): ChainNode => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const rpcUrl = `http://127.0.0.1:${address.port}`;
  return evmNode({ ...SEPOLIA, family: "Evm", rpcUrl, confirmations: 1 });
};
const read = async (node = connect()): Promise<readonly Arrival[] | undefined | string> => {
  const found = await node.arrivals?.(100n, async () => new Set([OURS]));
  if (found === undefined) throw new Error("it detects nothing");
  return found.ok ? found.value : `${found.problem.code}: ${found.problem.message}`;
};
const refusing =
  (methods: readonly string[], code: number, message: string): Bend =>
  ({ method }) =>
    methods.includes(method) ? new Refusal(code, message) : undefined;
const TOO_MANY = "query returns too many logs, narrow your filter: 20000";
const times = (method: string): number => asked.filter((call) => call.method === method).length;

describe("a block that a node does not tell at once", () => {
  it.each<readonly [string, Bend, (calls: readonly Call[]) => number | undefined]>([
    ["is reported whole", () => undefined, () => undefined],
    ["has too many logs", refusing(["eth_getLogs"], -32602, TOO_MANY), () => undefined],
    [
      "has more logs than a limit",
      refusing(["eth_getLogs"], -32005, "query returned more than 10000 results"),
      () => undefined,
    ],
    [
      "has too many logs, and its node knows no receipts of blocks",
      refusing(["eth_getLogs", "eth_getBlockReceipts"], -32601, "the method does not exist"),
      () => undefined,
    ],
    [
      "has too many logs, and receipts that are too large together",
      refusing(["eth_getLogs", "eth_getBlockReceipts"], -32003, "response too large"),
      () => undefined,
    ],
    [
      "has too many logs, and no receipts together",
      (call) =>
        call.method === "eth_getBlockReceipts" ? null : refusing(["eth_getLogs"], -32602, TOO_MANY)(call),
      () => undefined,
    ],
    ["is late beside its logs", () => undefined, (calls) => (calls.length > 1 ? 504 : undefined)],
    ["is too large beside its logs", () => undefined, (calls) => (calls.length > 1 ? 413 : undefined)],
    [
      "is too large with its transactions",
      (call) =>
        call.method === "eth_getBlockByNumber" && call.params[1] === true
          ? new Refusal(-32003, "response too large")
          : undefined,
      () => undefined,
    ],
    [
      "is too large in every way but the smallest",
      refusing(["eth_getLogs"], -32602, TOO_MANY),
      (calls) =>
        calls.length > 1 ||
        calls.some(({ method, params }) => method === "eth_getBlockReceipts" || params[1] === true)
          ? 413
          : undefined,
    ],
    [
      "has logs that the node has forgotten, and receipts",
      refusing(["eth_getLogs"], 4444, "pruned history unavailable"),
      () => undefined,
    ],
  ])("brings what it brought when it %s", async (_, bent, statusOf) => {
    [bend, status] = [bent, statusOf];
    expect(await read()).toMatchObject(ALL);
  });

  const MIB = 1024 * 1024;
  /** Divisor of the timeouts: silence ends soon, while an answer still has its second. */
  const ANSWERED = 5;

  it.each<readonly [string, (calls: readonly Call[]) => number | "silence"]>([
    ["never ends beside its logs", (calls) => (calls.length > 1 ? "silence" : 0)],
    [
      "never ends in every way but the smallest",
      (calls) => {
        const isWhole = ({ method, params }: Call): boolean =>
          method === "eth_getLogs" || method === "eth_getBlockReceipts" || params[1] === true;
        return calls.some(isWhole) ? "silence" : 0;
      },
    ],
  ])("K5 brings what it brought when it %s", async (_, bytesBefore) => {
    before = bytesBefore;
    expect(await withLittlePatience(() => read(), ANSWERED)).toMatchObject(ALL);
  });

  it.each<readonly [string, (calls: readonly Call[]) => number]>([
    ["is longer than is read beside its logs", (calls) => (calls.length > 1 ? 17 * MIB : 0)],
    ["is of 15 MiB", () => 15 * MIB],
    [
      "has a receipt of 17 MiB",
      ([call]) =>
        call?.method === "eth_getTransactionReceipt" && call.params[0] === TRANSACTIONS[3]?.hash
          ? 17 * MIB
          : 0,
    ],
  ])("K5 brings what it brought when it %s", async (_, bytesBefore) => {
    before = bytesBefore;
    expect(await read()).toMatchObject(ALL);
  });

  it("K5 is too large where one receipt is longer than is read of any answer", async () => {
    before = ([call]) => (call?.method === "eth_getTransactionReceipt" ? 65 * MIB : 0);
    expect(await read()).toMatch(/^BlockTooLarge: .*block 100 /);
  });

  it("K5 is waited for where its node falls silent", async () => {
    before = () => "silence";
    expect(await withLittlePatience(() => read())).toMatch(/^ServiceUnavailable/);
  });

  it("K5 is asked for by its receipts where the node tells no logs of a block whose header says that there may be some", async () => {
    const bloomOf =
      (byte: string): Bend =>
      (call) => {
        if (call.method === "eth_getLogs") return [];
        if (call.method !== "eth_getBlockByNumber") return undefined;
        return { hash: HASH, transactions: TRANSACTIONS, logsBloom: `0x${byte.repeat(256)}` };
      };
    bend = bloomOf("ff");
    expect(await read()).toMatchObject(ALL);
    expect(times("eth_getBlockReceipts")).toBe(1);
    bend = bloomOf("00");
    expect(await read()).toMatchObject([ALL[0]]);
    expect(times("eth_getBlockReceipts")).toBe(1);
  });

  it("K5 is asked for by its receipts where the node tells as many logs as its limit may be", async () => {
    const seventh = TRANSACTIONS[6]?.hash ?? "";
    const answeringLogs = (count: number): Bend => {
      const logs = Array.from({ length: count }, (_, at) => ({
        ...logOf(seventh, TRANSFER, String(at + 1)),
        logIndex: `0x${at.toString(16)}`,
      }));
      return ({ method }) => (method === "eth_getLogs" ? logs : undefined);
    };
    bend = answeringLogs(1000);
    expect(await read()).toMatchObject(ALL);
    bend = answeringLogs(999);
    expect(await read()).toHaveLength(1000);
    expect(times("eth_getBlockReceipts")).toBe(1);
  });

  it("is asked for in one request where the node tells all", async () => {
    await read();
    // the last request is the receipt of the one payment
    expect(asked.map(({ method, params: [first] }) => `${method} ${String(first)}`)).toEqual([
      "eth_getBlockByNumber finalized",
      "eth_getBlockByNumber 0x64",
      "eth_getLogs [object Object]",
      `eth_getTransactionReceipt ${TRANSACTIONS[3]?.hash}`,
    ]);
    expect(largestBatch).toBe(3);
  });

  it.each([
    ["pruned history unavailable", 4444],
    ["missing trie node 0xab (path ) state 0xcd is not available", -32000],
    ["block 100 has been pruned", -32000],
  ])("is forgotten when the node says so in each way: %s", async (words, code) => {
    bend = refusing(["eth_getLogs", "eth_getBlockReceipts", "eth_getTransactionReceipt"], code, words);
    expect(await read()).toBeUndefined();
    bend = refusing(["eth_getBlockByNumber"], code, words);
    expect(await read()).toBeUndefined();
  });

  it("is not read where the node refuses each way for another reason", async () => {
    bend = refusing(["eth_getLogs", "eth_getBlockReceipts", "eth_getTransactionReceipt"], -32602, TOO_MANY);
    expect(await read()).toMatch(/^ServiceUnavailable/);
  });

  it.each(["eth_getBlockReceipts", "eth_getTransactionReceipt"])(
    "is not read where %s tells of another block",
    async (method) => {
      const other = { ...RECEIPTS[0], blockHash: OTHER };
      bend = (call) => {
        if (call.method === method)
          return method === "eth_getBlockReceipts" ? RECEIPTS.map(() => other) : other;
        const refused = ["eth_getLogs", "eth_getBlockReceipts", "eth_getTransactionReceipt"];
        return refusing(refused, -32602, TOO_MANY)(call);
      };
      expect(await read()).toMatch(/^ServiceUnavailable/);
    },
  );

  it.each<readonly [string, () => void]>([
    [
      "its proxy lets nothing through",
      () => {
        status = () => 413;
      },
    ],
    [
      "its proxy lets one receipt through in no way",
      () => {
        bend = ({ method }) => (method === "eth_getLogs" ? new Refusal(-32005, "too many") : undefined);
        status = (calls) => (calls.some(({ method }) => method.includes("Receipt")) ? 413 : undefined);
      },
    ],
    [
      "one receipt is larger than the node hands out",
      () => {
        bend = ({ method }) =>
          method === "eth_getLogs" || method.includes("Receipt")
            ? new Refusal(-32008, "Response is too big")
            : undefined;
      },
    ],
    [
      "one transaction is larger than the node hands out",
      () => {
        bend = ({ method, params }) =>
          method === "eth_getTransactionByHash" || params[1] === true
            ? new Refusal(-32003, "response too large")
            : undefined;
      },
    ],
  ])("K5 is too large where %s", async (_, spoil) => {
    spoil();
    expect(await read()).toMatch(/^BlockTooLarge: .*block 100 /);
  });

  it("is not asked for in pieces where the node asks for fewer requests", async () => {
    bend = refusing(["eth_getLogs"], -32005, "rate limit exceeded");
    expect(await read()).toMatch(/^ServiceUnavailable.*fewer requests/);
    expect(asked).toHaveLength(3);
  });

  it("K5 is read over several rounds where pieces are missing at first, each other piece once", async () => {
    const node = connect();
    const late = new Set(["eth_getTransactionByHash", "eth_getTransactionReceipt"]);
    bend = refusing(["eth_getLogs", "eth_getBlockReceipts"], -32602, TOO_MANY);
    const last = TRANSACTIONS.at(-1)?.hash;
    status = (calls) => {
      if (calls.some(({ params }) => params[1] === true)) return 413;
      return calls.some(({ method, params }) => late.has(method) && params[0] === last) ? 500 : undefined;
    };
    for (const method of ["eth_getTransactionReceipt", "eth_getTransactionByHash"]) {
      expect(await read(node)).toMatch(/^ServiceUnavailable/);
      late.delete(method);
    }
    expect(await read(node)).toMatchObject(ALL);
    expect(times("eth_getTransactionByHash")).toBe(TRANSACTIONS.length + 1);
    // two more: the repeated receipt, and that of the one payment
    expect(times("eth_getTransactionReceipt")).toBe(TRANSACTIONS.length + 2);
    expect(times("eth_getBlockReceipts")).toBe(1);
  });

  it("K5 in which nothing moved is dropped once it was read, too", async () => {
    const node = connect();
    const still = TRANSACTIONS.map((each) => ({ ...each, value: "0x0" }));
    bend = ({ method, params }) => {
      if (method === "eth_getBlockByNumber") return { hash: HASH, transactions: still };
      if (method === "eth_getLogs" || method === "eth_getBlockReceipts") return new Refusal(-32602, TOO_MANY);
      return method === "eth_getTransactionReceipt"
        ? { ...RECEIPTS.find(({ transactionHash }) => transactionHash === params[0]), logs: [] }
        : undefined;
    };
    for (const times of [1, 2]) {
      expect(await read(node)).toEqual([]);
      expect(asked.filter(({ method }) => method === "eth_getTransactionReceipt")).toHaveLength(
        times * TRANSACTIONS.length,
      );
    }
  });

  it.each<readonly [string, Bend]>([
    [
      "one receipt is of another block",
      ({ method, params }) =>
        method === "eth_getTransactionReceipt" && params[0] === TRANSACTIONS[3]?.hash
          ? { ...RECEIPTS[3], blockHash: OTHER, status: "0x0" }
          : undefined,
    ],
    [
      "one receipt does not say how its transaction ended",
      ({ method }) =>
        method === "eth_getTransactionReceipt" ? { ...RECEIPTS[3], status: undefined } : undefined,
    ],
    [
      "it has no receipt of a payment",
      ({ method }) => (method === "eth_getTransactionReceipt" ? null : undefined),
    ],
  ])("K5 is read again where %s", async (_, bent) => {
    bend = bent;
    expect(await read()).toMatch(/^ServiceUnavailable/);
  });

  const isOf = (call: Call, method: string, id?: string): boolean =>
    call.method === method && (id === undefined || call.params[0] === id);
  /** A node that refuses all logs, receipts and transactions in one answer, except by one method. */
  const sparing =
    (way: string): Bend =>
    (call) => {
      const isLogs = call.method === "eth_getLogs" || call.method === "eth_getBlockReceipts";
      const isRefused = call.params[1] === true || (isLogs && call.method !== way);
      return isRefused ? new Refusal(-32003, "response too large") : undefined;
    };

  it.each<readonly [string, Bend]>([
    [
      "the logs beside it are of another block",
      ({ method }) =>
        method === "eth_getLogs" ? [{ ...logOf(OTHER, TRANSFER, "9"), blockHash: OTHER }] : undefined,
    ],
    [
      "a receipt with logs is of another block",
      (call) =>
        isOf(call, "eth_getTransactionReceipt", TRANSACTIONS[6]?.hash)
          ? { ...RECEIPTS[6], blockHash: OTHER }
          : sparing("eth_getTransactionReceipt")(call),
    ],
    [
      "a transaction is of another block",
      (call) =>
        isOf(call, "eth_getTransactionByHash", TRANSACTIONS[3]?.hash)
          ? { ...TRANSACTIONS[3], blockHash: OTHER }
          : sparing("eth_getTransactionReceipt")(call),
    ],
  ])("K5 is read again where %s", async (_, bent) => {
    bend = bent;
    expect(await read()).toMatch(/^ServiceUnavailable/);
  });

  it.each<readonly [string, Bend]>([
    [
      "the logs of its hash are of another block",
      (call) => {
        const isOfHash = call.method === "eth_getLogs" && Object(call.params[0]).blockHash === HASH;
        if (isOfHash) return [{ ...logOf(TRANSACTIONS[6]?.hash ?? "", TRANSFER, "9"), blockHash: OTHER }];
        return sparing("eth_getBlockReceipts")(call);
      },
    ],
    [
      "its receipts are of another block",
      (call) =>
        isOf(call, "eth_getBlockReceipts")
          ? RECEIPTS.map((receipt) => ({ ...receipt, blockHash: OTHER, logs: [] }))
          : sparing("eth_getTransactionReceipt")(call),
    ],
    [
      "its receipts are fewer than its transactions",
      (call) =>
        isOf(call, "eth_getBlockReceipts")
          ? RECEIPTS.slice(0, 5)
          : sparing("eth_getTransactionReceipt")(call),
    ],
  ])("K5 is asked for in another way where %s", async (_, bent) => {
    bend = bent;
    const found = await read();
    expect(found).toHaveLength(ALL.length);
    expect(found).toMatchObject([
      ALL[0],
      { ...ALL[1], moved: { amount: "7" } },
      { ...ALL[2], moved: { amount: "8" } },
    ]);
  });

  it("K5 brings nothing where it has no transactions, and used no gas", async () => {
    bend = ({ method }) => {
      if (method === "eth_getBlockByNumber") return { hash: HASH, transactions: [], gasUsed: "0x0" };
      return method === "eth_getLogs" ? [] : undefined;
    };
    expect(await read()).toEqual([]);
  });

  it("K5 is forgotten where the receipts of its payments are, or all of its transactions", async () => {
    bend = refusing(["eth_getTransactionReceipt"], 4444, "pruned history unavailable");
    expect(await read()).toBeUndefined();
    const stripped = { hash: HASH, transactions: [], gasUsed: "0x5208", logsBloom: `0x${"ff".repeat(256)}` };
    bend = ({ method }) => {
      if (method === "eth_getBlockByNumber") return stripped;
      return method.startsWith("eth_get") ? [] : undefined;
    };
    expect(await read()).toBeUndefined();
  });

  it("K5 brings a payment that was undone to nobody, and its number may be written with zeros", async () => {
    for (const [status, count] of [
      ["0x0", 2],
      ["0x01", 3],
    ] as const) {
      bend = ({ method }) =>
        method === "eth_getTransactionReceipt" ? { ...RECEIPTS[3], status } : undefined;
      expect(await read()).toHaveLength(count);
    }
  });

  it("K5 brings a log once that is reported twice, and each in the place that it has in the block", async () => {
    const [seventh = "", first, second] = [
      TRANSACTIONS[6]?.hash,
      { logIndex: "0x1", data: word("7") },
      { logIndex: "0x2", data: word("8") },
    ];
    const reported = (...logs: readonly object[]) =>
      logs.map((log) => ({ ...logOf(seventh, TRANSFER, "7"), ...log }));
    bend = ({ method }) => (method === "eth_getLogs" ? reported(second, first, first, second) : undefined);
    expect(await read()).toMatchObject([
      ALL[0],
      { place: "log 0", moved: { amount: "7" } },
      { place: "log 1", moved: { amount: "8" } },
    ]);
  });

  it.each(["0xfffffffffffffffffffffffffffffffffffffffe", "0x000000000000000000000000000000000000800a"])(
    "K5 brings nothing by a log of the chain's own coin, however its node spells %s",
    async (address) => {
      const log = logOf(TRANSACTIONS[6]?.hash ?? "", TRANSFER, "7");
      for (const spelled of [address, address.toUpperCase().replace("0X", "0x")]) {
        bend = ({ method }) => (method === "eth_getLogs" ? [{ ...log, address: spelled }] : undefined);
        const found = await read();
        expect(found).toHaveLength(1);
        expect(found).toMatchObject([ALL[0]]);
      }
    },
  );

  it.each<readonly [string, object]>([
    ["null", { to: null }],
    ["left out", {}],
  ])("K5 brings nothing by a contract creation, whose recipient is %s", async (_, receiver) => {
    const making = { hash: OTHER, blockHash: HASH, from: STRANGER, value: "0x9", ...receiver };
    bend = ({ method, params }) => {
      const hasWhole = params[1] === true;
      if (method === "eth_getTransactionByHash" && params[0] === OTHER) return making;
      if (method !== "eth_getBlockByNumber") return undefined;
      const all = [making, ...TRANSACTIONS];
      return { hash: HASH, transactions: hasWhole ? all : all.map(({ hash }) => hash) };
    };
    for (const refused of [undefined, 413]) {
      status = (calls) => (calls.some(({ params }) => params[1] === true) ? refused : undefined);
      const found = await read();
      expect(found).toHaveLength(ALL.length);
      expect(found).toMatchObject(ALL);
    }
    expect(times("eth_getTransactionByHash")).toBe(1 + TRANSACTIONS.length);
  });

  it("K5 is asked for in a request of its own, also where others are asked for at this moment", async () => {
    const node = connect();
    await Promise.all([read(node), read(node), read(node)]);
    expect(largestBatch).toBe(3);
  });

  it("costs one request for each of its transactions at the most", async () => {
    bend = refusing(["eth_getLogs", "eth_getBlockReceipts"], -32602, TOO_MANY);
    await read();
    expect(times("eth_getTransactionReceipt")).toBe(TRANSACTIONS.length + 1);
  });
});

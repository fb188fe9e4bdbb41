// Measures reading a full Solana block for deposits: time, CPU, and the longest time without a turn of the event loop. The node
// is a separate process. Run alone, half a minute: node_modules/.bin/tsx test/bench/full-solana-blocks.ts
import { fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg } from "node:os";
import { json } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { solanaNode } from "../../packages/chains/src/solana/node/node.ts";
import { SOLANA_DEVNET } from "../../packages/chains/src/testing/solana-samples.ts";

const ROUNDS = 8;
/** Latency of the node when a block is read transaction by transaction. */
const LATENCY_MS = 50;
const [NAME, CELL] = [66, 12];
/** number of transactions with token balances, accounts and token accounts per transaction, and votes */
const BLOCKS = [
  { name: "an ordinary block of the main network", paying: 500, accounts: 20, tokens: 6, votes: 1_000 },
  { name: "a full block", paying: 1_300, accounts: 20, tokens: 6, votes: 900 },
  { name: "600 transactions of 60 token accounts each", paying: 600, accounts: 62, tokens: 60, votes: 400 },
  { name: "900 of them: asked for one by one", paying: 900, accounts: 62, tokens: 60, votes: 400 },
] as const;
const FIRST_SLOT = 4_900;

const LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** Random base58 text: 44 letters for 32 bytes, 88 for 64. Its first letter keeps the number small enough. */
const base58 = (letters: number): string =>
  `2${Array.from({ length: letters - 1 }, () => LETTERS[randomInt(LETTERS.length)]).join("")}`;
const keys = Array.from({ length: 5_000 }, () => base58(44));
let next = 0;
const key = (): string => keys[next++ % keys.length] ?? "";
const balances = (count: number, amount: string) =>
  Array.from({ length: count }, (_, accountIndex) => ({
    accountIndex,
    mint: key(),
    owner: key(),
    programId: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
    uiTokenAmount: { amount, decimals: 6, uiAmount: 1.5, uiAmountString: "1.5" },
  }));

/** A transaction in a block's list with its accounts. */
const transaction = (accounts: number, tokens: number) => ({
  transaction: {
    signatures: [base58(88)],
    accountKeys: Array.from({ length: accounts }, () => ({
      pubkey: key(),
      signer: false,
      source: "transaction",
      writable: true,
    })),
  },
  meta: {
    err: null,
    status: { Ok: null },
    fee: 5_000,
    preBalances: Array.from({ length: accounts }, (_, at) => 2_039_280 + at),
    postBalances: Array.from({ length: accounts }, (_, at) => 2_039_281 + at),
    preTokenBalances: balances(tokens, "1234567890123456789"),
    postTokenBalances: balances(tokens, "1234567890123456999"),
  },
  version: 0,
});

/** The same transaction as `getTransaction` answers it. */
const alone = (
  { transaction: { signatures, accountKeys }, meta }: ReturnType<typeof transaction>,
  slot: number,
) => ({
  slot,
  transaction: { signatures, message: { accountKeys: accountKeys.map(({ pubkey }) => pubkey) } },
  meta,
});

const callSchema = z.object({
  method: z.string(),
  params: z.tuple([
    z.union([z.string(), z.number()]),
    z.looseObject({ transactionDetails: z.string().optional() }),
  ]),
});

/** Serves the blocks; all texts are made beforehand. */
const serve = (): void => {
  const texts = new Map<string, string>();
  const keep = (name: string, result: object): void => {
    texts.set(name, JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
  };
  for (const [at, { paying, accounts, tokens, votes }] of BLOCKS.entries()) {
    const slot = FIRST_SLOT + at;
    const header = {
      blockhash: key(),
      previousBlockhash: key(),
      parentSlot: slot - 1,
      blockHeight: slot,
      blockTime: 1_800_000_000,
    };
    const transactions = [
      ...Array.from({ length: paying }, () => transaction(accounts, tokens)),
      ...Array.from({ length: votes }, () => transaction(4, 0)),
    ];
    const signatures = transactions.map((each) => each.transaction.signatures[0] ?? "");
    keep(`${slot} accounts`, { ...header, transactions });
    keep(`${slot} signatures`, { ...header, signatures });
    for (const each of transactions) keep(each.transaction.signatures[0] ?? "", alone(each, slot));
  }
  const server = createServer(async (request, response) => {
    const { method, params } = callSchema.parse(await json(request));
    const isAlone = method === "getTransaction";
    if (isAlone) await setTimeout(LATENCY_MS);
    response.end(texts.get(isAlone ? String(params[0]) : `${params[0]} ${params[1].transactionDetails}`));
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
};

/** The longest time between two turns of the event loop during the work, in milliseconds. */
const longestHold = async (work: () => Promise<void>): Promise<number> => {
  let [longest, sinceMs, isOver] = [0, performance.now(), false];
  const turn = (): void => {
    longest = Math.max(longest, performance.now() - sinceMs);
    sinceMs = performance.now();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  turn();
  return longest;
};

const row = (name: string, ...cells: readonly string[]): void => {
  process.stdout.write(`${name.padEnd(NAME)}${cells.map((cell) => cell.padStart(CELL)).join("")}\n`);
};
const median = (values: readonly number[]): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(0);

const measure = async (url: string): Promise<void> => {
  const node = solanaNode({ ...SOLANA_DEVNET, solanaUrl: url });
  row(
    `medians of ${ROUNDS}, in milliseconds; load ${loadavg()[0]?.toFixed(1)}`,
    "CPU",
    "longest hold",
    "read in",
  );
  for (const [at, { name }] of BLOCKS.entries()) {
    const [cpuMs, holdMs, tookMs]: [number[], number[], number[]] = [[], [], []];
    for (let round = -1; round < ROUNDS; round += 1) {
      const [beganMs, cpu] = [performance.now(), process.cpuUsage()];
      const hold = await longestHold(async () => {
        const found = await node.arrivals?.(BigInt(FIRST_SLOT + at), async () => new Set());
        if (found?.ok !== true) throw new Error(`${name}: ${found?.problem.message}`);
      });
      // the first round only warms up the compiler
      if (round < 0) continue;
      const { user, system } = process.cpuUsage(cpu);
      cpuMs.push((user + system) / 1_000);
      holdMs.push(hold);
      tookMs.push(performance.now() - beganMs);
    }
    row(name, median(cpuMs), median(holdMs), median(tookMs));
  }
};

if (process.send === undefined) {
  const server = fork(fileURLToPath(import.meta.url));
  const [port] = await once(server, "message");
  await measure(`http://127.0.0.1:${port}`);
  server.kill();
} else {
  serve();
}

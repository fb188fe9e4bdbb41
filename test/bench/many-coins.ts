// Measures how long a Bitcoin wallet with many coins waits for its broadcast: each spent coin needs a signature. Uses a
// throw-away cluster of three signers with threshold two, at production parameters. Run alone, some ten minutes:
// node_modules/.bin/tsx test/bench/many-coins.ts
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, createCluster, fundAccount, waitUntil } from "@conclave/testbed";
import { type AnyWallet, makeWallet } from "@conclave/testbed/families";
import { z } from "zod";

const NETWORK = "Bitcoin";
/** 20 000 satoshis, in whole coins. */
const COIN = "0.0002";
const PAYEE = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const DEADLINE_MS = 1_200_000;
const POLL_MS = 50;
const [NAME, CELL] = [44, 13];

const requestSchema = z.object({
  id: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  txHash: z.string().optional(),
  fee: z.string().optional(),
});

const row = (name: string, ...cells: readonly string[]): void => {
  process.stdout.write(`${name.padEnd(NAME)}${cells.map((cell) => cell.padStart(CELL)).join("")}\n`);
};
const secondsSince = (beganMs: number): string => ((performance.now() - beganMs) / 1_000).toFixed(1);

/** A wallet with this many coins in blocks. */
const makeFull = async (
  cluster: Cluster,
  coins: number,
  key?: Parameters<typeof makeWallet>[3],
): Promise<AnyWallet> => {
  const wallet = await makeWallet(cluster, NETWORK, COIN, key);
  for (let at = 1; at < coins; at++) {
    await fundAccount(cluster.description.networks, NETWORK, wallet.address, COIN);
  }
  return wallet;
};

/** Sends a request and follows it to its end. @returns a row with the seconds that each stage took */
const measure = async (
  { api }: Cluster,
  { id, urls }: AnyWallet,
  name: string,
  collection: "transfers" | "transactions",
  body: object,
): Promise<void> => {
  const began = performance.now();
  const path = `/wallets/${id}/${collection}`;
  const ask = async (method: string, at: string, given?: object) => {
    const answer = await api.send(method, at, given);
    if (answer.status !== 200) throw new Error(`${method} ${at}: ${JSON.stringify(answer.body)}`);
    return requestSchema.parse(answer.body);
  };
  const asked = await ask("POST", path, body);
  let last = "never read";
  const until = (isSo: (now: z.infer<typeof requestSchema>) => boolean) =>
    waitUntil(
      async () => {
        const now = await ask("GET", `${path}/${asked.id}`);
        last = `${now.status} ${now.reason ?? ""}`;
        if (now.status === "Failed" || now.status === "Rejected") throw new Error(`${name}: ${last}`);
        return isSo(now) ? now : undefined;
      },
      { what: () => `${name} (last seen: ${last})`, deadlineMs: DEADLINE_MS, pollMs: POLL_MS },
    );
  const { txHash } = await until((now) => now.txHash !== undefined);
  const broadcast = secondsSince(began);
  const { fee = "none" } = await until(({ status }) => status === "Confirmed");
  row(name, await inputsOf(urls.url, txHash), broadcast, secondsSince(began), fee);
};

const transactionSchema = z.object({ result: z.object({ vin: z.array(z.unknown()) }) });

/** Number of coins that a transaction spends, by the node. */
const inputsOf = async (url: string, txid: string | undefined): Promise<string> => {
  const body = JSON.stringify({ id: 1, method: "getrawtransaction", params: [txid, true] });
  const answer = await fetch(url, { method: "POST", body });
  return String(transactionSchema.parse(await answer.json()).result.vin.length);
};

const cluster = await createCluster({
  state: mkdtempSync(join(tmpdir(), "conclave-many-coins-")),
  disposable: true,
  signers: 3,
  threshold: 2,
  requestsPerMinute: 0,
  networks: [NETWORK],
  ports: "free",
});
try {
  await cluster.startNode(NETWORK);
  row("coins of 20 000 satoshis", "inputs", "broadcast, s", "Confirmed, s", "fee");
  const payer = await makeFull(cluster, 60);
  const pays = { kind: "Native", to: PAYEE, amount: "1000000" };
  await measure(cluster, payer, "P2WPKH, 60 coins: pays 1 000 000", "transfers", pays);
  const gatherer = await makeFull(cluster, 60);
  const gathers = { kind: "Consolidate" };
  await measure(cluster, gatherer, "P2WPKH, 60 coins: Consolidate", "transactions", gathers);
  const taproot = await makeFull(cluster, 200, { scheme: "Schnorr", curve: "secp256k1" });
  await measure(cluster, taproot, "P2TR, 200 coins: Consolidate", "transactions", gathers);
} finally {
  await cluster.stop();
}

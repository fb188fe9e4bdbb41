import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { repositoryRoot, serviceBundle } from "@conclave/testbed";
import algosdk from "algosdk";
import { afterEach, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const readySchema = z.object({ msg: z.literal("ready"), url: z.url(), adminUrl: z.url() });
const START_MS = 20_000;

let child: ChildProcess | undefined;

afterEach(async () => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
});

/** Starts the service's process with exactly these environment variables. */
const start = (environment: Readonly<Record<string, string>>): ChildProcess => {
  child = spawn(process.execPath, [serviceBundle(repositoryRoot(), "ledger")], {
    env: { ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return child;
};

const linesOf = ({ stdout }: ChildProcess): AsyncIterable<string> => {
  if (stdout === null) throw new Error("its output is read");
  return createInterface({ input: stdout });
};

const FREE_PORTS = { CONCLAVE_LISTEN: "127.0.0.1:0", CONCLAVE_ADMIN_PORT: "0" };

const ready = async (process: ChildProcess): Promise<z.output<typeof readySchema>> => {
  for await (const line of linesOf(process)) return readySchema.parse(JSON.parse(line));
  throw new Error("it ended without a word");
};

it(
  "a ledger starts by configuration, makes blocks, pays from its faucet, and stops on SIGTERM",
  async () => {
    const process = start({ CONCLAVE_LEDGER: "Algorand", CONCLAVE_BLOCK_MS: "50", ...FREE_PORTS });
    const { url, adminUrl } = await ready(process);
    const client = new algosdk.Algodv2("", url, new URL(url).port);
    const receiver = algosdk.generateAccount().addr;
    const answer = await fetch(`${adminUrl}/fund`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ address: receiver.toString(), amount: 250_000 }),
    });
    const { id } = z.object({ id: z.string() }).parse(await answer.json());
    await algosdk.waitForConfirmation(client, id, 100);
    expect((await client.accountInformation(receiver).do()).amount).toBe(250_000n);

    const ended = once(process, "exit");
    process.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  },
  START_MS,
);

it(
  "a Stellar ledger starts by configuration, closes ledgers, pays from its faucet, and serves both of its interfaces",
  async () => {
    const process = start({
      CONCLAVE_LEDGER: "Stellar",
      CONCLAVE_CHAIN: "Conclave Network",
      CONCLAVE_BLOCK_MS: "50",
      ...FREE_PORTS,
    });
    const { url, adminUrl } = await ready(process);
    const receiver = "GCFIRY65OQE7DFP5KLNS2PF2LVZMUZYJX4OZIEQ36N2IQANUB5XVYOJR";
    await fetch(`${adminUrl}/fund`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ address: receiver, amount: 25_000_000 }),
    });
    const account = async (): Promise<unknown> => (await fetch(`${url}/accounts/${receiver}`)).json();
    await expect.poll(account).toMatchObject({ balances: [{ balance: "2.5000000" }] });
    const network = await fetch(`${url}/rpc`, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getNetwork" }),
    });
    expect(await network.json()).toMatchObject({ result: { passphrase: "Conclave Network" } });
  },
  START_MS,
);

it(
  "a Bitcoin ledger starts by configuration, asks for its credentials, pays from its faucet, and makes blocks",
  async () => {
    const process = start({
      CONCLAVE_LEDGER: "Bitcoin",
      CONCLAVE_CHAIN: "signet",
      CONCLAVE_TOKEN: "user:secret",
      CONCLAVE_BLOCK_MS: "50",
      ...FREE_PORTS,
    });
    const { url, adminUrl } = await ready(process);
    const call = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
      const answer = await fetch(url, {
        method: "POST",
        headers: { authorization: `Basic ${btoa("user:secret")}` },
        body: JSON.stringify({ id: 1, method, params }),
      });
      return z.object({ result: z.unknown() }).parse(await answer.json()).result;
    };
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
    const receiver = "tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c";
    await fetch(`${adminUrl}/fund`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ address: receiver, amount: 250_000 }),
    });
    const total = async () => call("scantxoutset", "start", [`addr(${receiver})`]);
    await expect.poll(total, { timeout: START_MS }).toMatchObject({ total_amount: 0.0025 });
    expect(await call("getblockchaininfo")).toMatchObject({ chain: "signet" });
  },
  START_MS,
);

it(
  "an XRP Ledger starts by configuration, closes ledgers, and pays from its faucet",
  async () => {
    const process = start({ CONCLAVE_LEDGER: "XrpLedger", CONCLAVE_BLOCK_MS: "50", ...FREE_PORTS });
    const { url, adminUrl } = await ready(process);
    const address = "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe";
    const post = async (to: string, body: object): Promise<unknown> => {
      const headers = { "content-type": "application/json" };
      return (await fetch(to, { method: "POST", headers, body: JSON.stringify(body) })).json();
    };
    await post(`${adminUrl}/fund`, { address, amount: 2_500_000 });
    const params = [{ account: address, ledger_index: "validated" }];
    await expect
      .poll(() => post(url, { method: "account_info", params }))
      .toMatchObject({ result: { account_data: { Balance: "2500000" }, validated: true } });
  },
  START_MS,
);

it(
  "a TRON ledger starts by configuration, makes blocks, pays from its faucet, and serves both of its nodes",
  async () => {
    const process = start({ CONCLAVE_LEDGER: "Tron", CONCLAVE_BLOCK_MS: "50", ...FREE_PORTS });
    const { url, adminUrl } = await ready(process);
    const address = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC";
    const post = async (to: string, body: object): Promise<unknown> => {
      const headers = { "content-type": "application/json" };
      return (await fetch(to, { method: "POST", headers, body: JSON.stringify(body) })).json();
    };
    await post(`${adminUrl}/fund`, { address, amount: 2_500_000 });
    const account = () => post(`${url}/walletsolidity/getaccount`, { address, visible: true });
    await expect.poll(account, { timeout: START_MS }).toMatchObject({ address, balance: 2_500_000 });
    expect(await post(`${url}/wallet/getnowblock`, {})).toHaveProperty("blockID");
  },
  START_MS,
);

it(
  "a Solana ledger starts by configuration, makes blocks, pays from its faucet, and goes on after it was killed",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "conclave-ledger-"));
    const environment = { CONCLAVE_LEDGER: "Solana", CONCLAVE_BLOCK_MS: "20", CONCLAVE_LEDGER_DIR: folder };
    const receiver = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV";
    const call = async (url: string, method: string, ...params: readonly unknown[]): Promise<unknown> => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const answer = await fetch(url, { method: "POST", headers, body });
      return z.object({ result: z.unknown() }).parse(await answer.json()).result;
    };
    const paid = (url: string) => () => call(url, "getBalance", receiver);
    try {
      const killed = start({ ...environment, ...FREE_PORTS });
      const first = await ready(killed);
      await call(first.url, "requestAirdrop", receiver, 25_000_000);
      await expect.poll(paid(first.url), { timeout: START_MS }).toMatchObject({ value: 25_000_000 });
      const ended = once(killed, "exit");
      killed.kill("SIGKILL");
      await ended;
      const second = await ready(start({ ...environment, ...FREE_PORTS }));
      expect(await paid(second.url)()).toMatchObject({ value: 25_000_000 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  START_MS,
);

const composeSchema = z.looseObject({
  "x-ledger": z.looseObject({ healthcheck: z.looseObject({ test: z.array(z.string()) }) }),
});

/** The command and arguments of a ledger container's health check, for this port. */
const healthCheck = (port: string): { readonly command: string; readonly args: readonly string[] } => {
  const text = readFileSync(join(repositoryRoot(), "deploy/compose.yaml"), "utf8");
  const compose = composeSchema.parse(parse(text, { merge: true, maxAliasCount: -1 }));
  // without "CMD" and `health`, a wrapper that limits how often the check runs
  const [, , command = "", ...args] = compose["x-ledger"].healthcheck.test;
  return { command, args: args.map((arg) => arg.replace("/4001", `/${port}`)) };
};

it.each(["Algorand", "Bitcoin", "Solana", "Stellar", "Tron", "XrpLedger"])(
  "a container of %s is well while its ledger serves, and not when it is gone",
  async (chain) => {
    const process = start({ CONCLAVE_LEDGER: chain, ...FREE_PORTS });
    const { command, args } = healthCheck(new URL((await ready(process)).url).port);
    const isWell = async (): Promise<boolean> => {
      const [code] = await once(spawn(command, args), "exit");
      return code === 0;
    };
    expect(await isWell()).toBe(true);
    const ended = once(process, "exit");
    process.kill("SIGKILL");
    await ended;
    expect(await isWell()).toBe(false);
  },
  START_MS,
);

it.each<[string, Readonly<Record<string, string>>, string]>([
  [
    "no chain is named",
    FREE_PORTS,
    "CONCLAVE_LEDGER: is not set. The chain to simulate: Algorand, Bitcoin, Solana, Stellar",
  ],
  ["there is no such chain", { CONCLAVE_LEDGER: "Cardano" }, "CONCLAVE_LEDGER"],
  [
    "a token is asked for",
    { CONCLAVE_LEDGER: "Solana", CONCLAVE_TOKEN: "secret" },
    "asks its callers for no token",
  ],
  ["the network has a name", { CONCLAVE_LEDGER: "XrpLedger", CONCLAVE_CHAIN: "conclave" }, "network id"],
  [
    "there is no such network",
    { CONCLAVE_LEDGER: "Bitcoin", CONCLAVE_CHAIN: "moon" },
    "no Bitcoin network moon",
  ],
  ["a number is none", { CONCLAVE_LEDGER: "Algorand", CONCLAVE_BLOCK_MS: "soon" }, "CONCLAVE_BLOCK_MS"],
])(
  "a ledger does not start if %s, and says what is wrong",
  async (_, environment, words) => {
    const process = start(environment);
    const ended = once(process, "exit");
    const lines: string[] = [];
    for await (const line of linesOf(process)) lines.push(line);
    expect(await ended).toEqual([1, null]);
    expect(lines.join("\n")).toContain(words);
  },
  START_MS,
);

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { repositoryRoot, serviceBundle } from "@conclave/testbed";
import algosdk from "algosdk";
import { afterEach, expect, it } from "vitest";
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

/** Starts the service's process with these settings alone. */
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

it.each<[string, Readonly<Record<string, string>>, string]>([
  [
    "no chain is named",
    FREE_PORTS,
    "CONCLAVE_LEDGER: is not set. The chain to simulate: Algorand, XrpLedger",
  ],
  ["there is no such chain", { CONCLAVE_LEDGER: "Cardano" }, "CONCLAVE_LEDGER"],
  ["the network has a name", { CONCLAVE_LEDGER: "XrpLedger", CONCLAVE_CHAIN: "conclave" }, "network id"],
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

// Every clock may be wrong (docs/clocks.md): a service's, several signers', the database's. Each is set wrong while transfers are under way, by 45 s, an
// hour, 25 hours and 100 days, both ways, at run time and over a restart. Once it is right again, all that was accepted lands, once.
import { readFileSync } from "node:fs";
import { type ApiTransfer, type ApiWallet, type Cluster, waitUntil } from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "../../integration/funded-wallet.ts";
import { startCluster } from "../../integration/throw-away-cluster.ts";
import { ServerClock } from "../inject/server-clock.ts";
import { FaultyProcess } from "./faulty-process.ts";

const HOUR_MS = 3_600_000;
/** docs/clocks.md: what was accepted ends within this time after the clock is right. */
const ENDS_MS = 60_000;
const NOTICED_MS = 60_000;
const AMOUNT = 777n;
const IN_FLIGHT = 3;
const SIGNERS = ["signer-1", "signer-2", "signer-3"];
const JUMPS = [
  ["45 seconds ahead", 45_000],
  ["45 seconds back", -45_000],
  ["an hour ahead", HOUR_MS],
  ["an hour back", -HOUR_MS],
  ["25 hours ahead", 25 * HOUR_MS],
  ["25 hours back", -25 * HOUR_MS],
  ["100 days ahead", 2_400 * HOUR_MS],
  ["100 days back", -2_400 * HOUR_MS],
] as const;

/** The line of a log that shows that a process has met its new time. */
const NOTICES = {
  gateway: "the clock is not the database's",
  orchestrator: "this orchestrator's time is in doubt",
  signer: "may go on from a copy",
} as const;

interface Sent {
  readonly to: `0x${string}`;
  readonly transfer: ApiTransfer;
}

let cluster: Cluster;
let wallet: ApiWallet;
let serverClock: ServerClock;
let landed = 0;
let gatewayName = "";
let orchestratorName = "";
const processes = new Map<string, FaultyProcess>();

const faulty = (name: string): FaultyProcess => processes.get(name) ?? expect.fail(`there is no ${name}`);
const nameOf = (prefix: string): string =>
  [...processes.keys()].find((name) => name.startsWith(prefix)) ?? expect.fail(`there is no ${prefix}`);

beforeAll(async () => {
  cluster = await startCluster({ signers: SIGNERS.length, threshold: 2, presignatures: 1, faults: true });
  for (const { name } of cluster.status()) {
    if (/^(signer-|gateway|orchestrator)/.test(name)) processes.set(name, new FaultyProcess(cluster, name));
  }
  gatewayName = nameOf("gateway");
  orchestratorName = nameOf("orchestrator");
  serverClock = await ServerClock.install(readFileSync(cluster.layout.databaseUrl, "utf8").trim());
  wallet = await makeFundedWallet(cluster);
});
afterAll(async () => {
  await serverClock?.close();
  await cluster?.stop();
});

/** Asks once. @returns the code of the error that a gateway answers whose clock is not the database's */
const ask = async (): Promise<Sent | string> => {
  const to = freshReceiver();
  const body = { kind: "Native", to, amount: AMOUNT.toString() };
  const answer = await cluster.api.send("POST", `/wallets/${wallet.id}/transfers`, body);
  if (answer.status === 200) return { to, transfer: Object(answer.body) };
  return String(Object(answer.body).error?.details?.code);
};

/** Asks until it is accepted. */
const send = (): Promise<Sent> =>
  waitUntil(
    async () => {
      const asked = await ask().catch(() => undefined);
      return typeof asked === "string" ? undefined : asked;
    },
    { what: "an accepted transfer", deadlineMs: NOTICED_MS },
  );

/** INV-4 INV-5: each lands within a minute, and once. */
const expectAllOnce = async (sent: readonly Sent[]): Promise<void> => {
  const byMs = performance.now() + ENDS_MS;
  for (const { to, transfer } of sent) {
    await cluster.api.confirmed(transfer, Math.max(byMs - performance.now(), 1));
    expect(await cluster.chain.balance(to)).toBe(AMOUNT);
  }
  landed += sent.length;
  expect(await cluster.chain.transactionCount(wallet.address)).toBe(landed);
};

const sendSeveral = (): Promise<readonly Sent[]> => Promise.all(Array.from({ length: IN_FLIGHT }, send));

const countOf = (name: string, text: string): number => faulty(name).log.split(text).length - 1;

/** Sets clocks, and waits until each process has met its new time. */
const setClocks = async (names: readonly string[], clockMs: number, notice: string): Promise<void> => {
  const before = names.map((name) => countOf(name, notice));
  for (const name of names) faulty(name).order({ clockMs });
  await waitUntil(
    async () => (names.every((name, at) => countOf(name, notice) > (before[at] ?? 0)) ? true : undefined),
    { what: `${names.join(", ")} to notice`, deadlineMs: NOTICED_MS },
  );
};

const setRight = (names: readonly string[]): void => {
  for (const name of names) faulty(name).order({ clockMs: 0 });
};

const restart = async (names: readonly string[]): Promise<void> => {
  for (const name of names) {
    await cluster.stopProcess(name);
    await cluster.restart(name);
  }
};

describe.each(JUMPS)("INV-4 INV-5 a clock that is %s", (_, jumpMs) => {
  it("of the gateway: it serves nothing until it is right, and keeps no transfer", async () => {
    const sent = await sendSeveral();
    await setClocks([gatewayName], jumpMs, NOTICES.gateway);
    expect(await ask()).toBe("ClocksApart");
    setRight([gatewayName]);
    await expectAllOnce([...sent, await send()]);
  });

  it("of the gateway over a restart: it serves nothing until it is right, and keeps no transfer", async () => {
    const sent = await sendSeveral();
    faulty(gatewayName).order({ clockMs: jumpMs });
    await restart([gatewayName]);
    expect(await ask()).toBe("ClocksApart");
    setRight([gatewayName]);
    await expectAllOnce([...sent, await send()]);
  });

  it.each([
    ["the orchestrator", () => [orchestratorName], NOTICES.orchestrator],
    ["one signer", () => SIGNERS.slice(0, 1), NOTICES.signer],
    ["all signers", () => SIGNERS, NOTICES.signer],
  ])("of %s keeps no transfer", async (_name, names, notice) => {
    const sent = await sendSeveral();
    await setClocks(names(), jumpMs, notice);
    const meanwhile = await sendSeveral();
    setRight(names());
    await expectAllOnce([...sent, ...meanwhile]);
  });

  it.each([
    ["the orchestrator", () => [orchestratorName]],
    ["one signer", () => SIGNERS.slice(0, 1)],
    ["all signers", () => SIGNERS],
  ])("of %s over a restart keeps no transfer", async (_name, names) => {
    const sent = await sendSeveral();
    for (const name of names()) faulty(name).order({ clockMs: jumpMs });
    await restart(names());
    const meanwhile = await sendSeveral();
    setRight(names());
    await expectAllOnce([...sent, ...meanwhile]);
  });

  it("of the database: gateways serve nothing until it is right, and no transfer is kept", async () => {
    const sent = await sendSeveral();
    const before = countOf(gatewayName, NOTICES.gateway);
    const setBack = await serverClock.move(jumpMs);
    await waitUntil(async () => (countOf(gatewayName, NOTICES.gateway) > before ? true : undefined), {
      what: "the gateway to notice",
      deadlineMs: NOTICED_MS,
    });
    expect(await ask()).toBe("ClocksApart");
    await setBack();
    await expectAllOnce([...sent, await send()]);
  });
});

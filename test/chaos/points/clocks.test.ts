// Tests wrong clocks (docs/clocks.md): of a service, of several signers, of the database. Each is set wrong while transfers of
// all families are under way, by 45 s, an hour, 25 hours and 100 days, forward and back, at run time and across a restart. Once
// the clock is right again, every accepted transfer lands exactly once.
import { readFileSync } from "node:fs";
import { type Cluster, waitUntil } from "@conclave/testbed";
import type { KindOfTransfer } from "@conclave/testbed/families";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { FAMILY_NETWORKS, type FamilyPayer, makePayers } from "../../integration/family-payments.ts";
import { startCluster } from "../../integration/throw-away-cluster.ts";
import { ServerClock } from "../inject/server-clock.ts";
import { FaultyProcess } from "./faulty-process.ts";

const HOUR_MS = 3_600_000;
/** docs/clocks.md: accepted transfers end within this time after the clocks are right. */
const ENDS_MS = 60_000;
const NOTICED_MS = 60_000;
const DATABASE = "postgres";
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

/** The log line that shows that a process has noticed its new time. */
const NOTICES = {
  gateway: "the clock is not the database's",
  orchestrator: "this orchestrator's time is in doubt",
  signer: "may go on from a copy",
} as const;

const transferSchema = z.object({ id: z.string(), status: z.string(), reason: z.string().optional() });
const refusalSchema = z.object({ error: z.object({ details: z.looseObject({ code: z.string() }) }) });

interface Sent {
  readonly payer: FamilyPayer;
  readonly payment: KindOfTransfer;
  readonly id: string;
}

let cluster: Cluster;
let payers: readonly FamilyPayer[];
let serverClock: ServerClock;
let gatewayName = "";
let orchestratorName = "";
const processes = new Map<string, FaultyProcess>();

const faulty = (name: string): FaultyProcess => processes.get(name) ?? expect.fail(`there is no ${name}`);
const nameOf = (prefix: string): string =>
  [...processes.keys()].find((name) => name.startsWith(prefix)) ?? expect.fail(`there is no ${prefix}`);

beforeAll(async () => {
  const networks = FAMILY_NETWORKS;
  cluster = await startCluster({
    signers: SIGNERS.length,
    threshold: 2,
    presignatures: 1,
    faults: true,
    networks,
  });
  for (const { name } of cluster.status()) {
    if (/^(signer-|gateway|orchestrator)/.test(name)) processes.set(name, new FaultyProcess(cluster, name));
  }
  gatewayName = nameOf("gateway");
  orchestratorName = nameOf("orchestrator");
  serverClock = await ServerClock.install(readFileSync(cluster.layout.databaseUrl, "utf8").trim());
  payers = await makePayers(cluster);
});
afterAll(async () => {
  await serverClock?.close();
  await cluster?.stop();
});

/** Sends one transfer. @returns the transfer, or the error's code from a gateway whose clock differs from the database's */
const ask = async (payer: FamilyPayer): Promise<Sent | string> => {
  const payment = payer.native(1n);
  const { status, body } = await cluster.api.send(
    "POST",
    `/wallets/${payer.wallet.id}/transfers`,
    payment.body,
  );
  if (status === 200) return { payer, payment, id: transferSchema.parse(body).id };
  return refusalSchema.parse(body).error.details.code;
};

const askFirst = (): Promise<Sent | string> => ask(payers[0] ?? expect.fail("there is no payer"));

/** Repeats a transfer until it is accepted. */
const send = (payer: FamilyPayer): Promise<Sent> =>
  waitUntil(
    async () => {
      const asked = await ask(payer).catch(() => undefined);
      return typeof asked === "string" ? undefined : asked;
    },
    { what: `an accepted transfer on ${payer.network}`, deadlineMs: NOTICED_MS },
  );

/** A transfer of each family. */
const sendAll = (): Promise<readonly Sent[]> => Promise.all(payers.map(send));

/** Waits until a transfer is confirmed. @param byMs deadline on the monotonic clock */
const landed = async ({ payer, id }: Sent, byMs: number): Promise<void> => {
  let last = "never read";
  await waitUntil(
    async () => {
      const answer = await cluster.api.send("GET", `/wallets/${payer.wallet.id}/transfers/${id}`);
      if (answer.status !== 200) return undefined;
      const now = transferSchema.parse(answer.body);
      last = `${now.status} ${now.reason ?? ""}`;
      return now.status === "Confirmed" ? true : undefined;
    },
    {
      what: () => `${payer.network} ${id} to land (last seen: ${last})`,
      deadlineMs: Math.max(byMs - performance.now(), 1),
      pollMs: cluster.api.pollMs,
    },
  );
};

/** INV-4 INV-5: each transfer lands within a minute, and exactly once. */
const expectAllOnce = async (sent: readonly Sent[]): Promise<void> => {
  const byMs = performance.now() + ENDS_MS;
  await Promise.all(sent.map((each) => landed(each, byMs)));
  for (const { payer, payment } of sent) {
    const { recipient, amount } = payment.expected;
    expect(await payer.balance(recipient), payer.network).toBe(amount);
  }
};

const countOf = (name: string, text: string): number => faulty(name).log.split(text).length - 1;

/** Sets clocks, and waits until each process has noticed its new time. */
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

const gatewayNotices = (before: number): Promise<true> =>
  waitUntil(async () => (countOf(gatewayName, NOTICES.gateway) > before ? true : undefined), {
    what: "the gateway to notice",
    deadlineMs: NOTICED_MS,
  });

describe.each(JUMPS)("INV-4 INV-5 a clock that is %s", (_, jumpMs) => {
  it("of the gateway: it serves nothing until it is right, and keeps no transfer", async () => {
    const sent = await sendAll();
    await setClocks([gatewayName], jumpMs, NOTICES.gateway);
    expect(await askFirst()).toBe("ClocksApart");
    setRight([gatewayName]);
    await expectAllOnce([...sent, ...(await sendAll())]);
  });

  it("of the gateway over a restart: it serves nothing until it is right, and keeps no transfer", async () => {
    const sent = await sendAll();
    faulty(gatewayName).order({ clockMs: jumpMs });
    await restart([gatewayName]);
    expect(await askFirst()).toBe("ClocksApart");
    setRight([gatewayName]);
    await expectAllOnce([...sent, ...(await sendAll())]);
  });

  it.each([
    ["the orchestrator", () => [orchestratorName], NOTICES.orchestrator],
    ["one signer", () => SIGNERS.slice(0, 1), NOTICES.signer],
    ["all signers", () => SIGNERS, NOTICES.signer],
  ])("of %s keeps no transfer", async (_name, names, notice) => {
    const sent = await sendAll();
    await setClocks(names(), jumpMs, notice);
    const meanwhile = await sendAll();
    setRight(names());
    await expectAllOnce([...sent, ...meanwhile]);
  });

  it.each([
    ["the orchestrator", () => [orchestratorName]],
    ["one signer", () => SIGNERS.slice(0, 1)],
    ["all signers", () => SIGNERS],
  ])("of %s over a restart keeps no transfer", async (_name, names) => {
    const sent = await sendAll();
    for (const name of names()) faulty(name).order({ clockMs: jumpMs });
    await restart(names());
    const meanwhile = await sendAll();
    setRight(names());
    await expectAllOnce([...sent, ...meanwhile]);
  });

  it("of the database: gateways serve nothing until it is right, and no transfer is kept", async () => {
    const sent = await sendAll();
    const before = countOf(gatewayName, NOTICES.gateway);
    const setBack = await serverClock.move(jumpMs);
    await gatewayNotices(before);
    expect(await askFirst()).toBe("ClocksApart");
    await setBack();
    await expectAllOnce([...sent, ...(await sendAll())]);
  });

  it("of the database over its restart: gateways serve nothing until it is right, and no transfer is kept", async () => {
    const sent = await sendAll();
    const before = countOf(gatewayName, NOTICES.gateway);
    const services = [gatewayName, orchestratorName];
    for (const name of services) cluster.pause(name);
    const setBack = await serverClock.move(jumpMs);
    await cluster.kill(DATABASE);
    await cluster.restart(DATABASE);
    for (const name of services) cluster.resume(name);
    await gatewayNotices(before);
    expect(await askFirst()).toBe("ClocksApart");
    await setBack();
    await expectAllOnce([...sent, ...(await sendAll())]);
  });

  it("of the database while the orchestrator starts: no transfer is kept", async () => {
    const sent = await sendAll();
    const before = countOf(gatewayName, NOTICES.gateway);
    const setBack = await serverClock.move(jumpMs);
    await gatewayNotices(before);
    await restart([orchestratorName]);
    await setBack();
    await expectAllOnce([...sent, ...(await sendAll())]);
  });
});

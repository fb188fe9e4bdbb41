import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { FAULT_POINTS } from "@conclave/platform/fault-points";
import { type ApiTransfer, type ApiWallet, type Cluster, waitUntil } from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshReceiver, makeFundedWallet } from "../../integration/funded-wallet.ts";
import { recordsOf } from "../../integration/known-secrets.ts";
import { startCluster } from "../../integration/throw-away-cluster.ts";
import { FaultyProcess } from "./faulty-process.ts";

const CONFIRMED_MS = 120_000;
const AMOUNT = 777n;
/** One of the three quorums of two avoids the signer that is to die; it would not be drawn this many times by chance. */
const TRANSFERS_MAX = 20;
const SIGNERS = [1, 2, 3];

type Point = (typeof FAULT_POINTS)[number]["point"];
const pointsOf = (...kinds: readonly string[]): readonly Point[] =>
  FAULT_POINTS.map(({ point }) => point).filter((point) => kinds.includes(point.split(".")[0] ?? ""));

let cluster: Cluster;
let wallet: ApiWallet;
let endpoint: Server;
let made = 0;
const processes = new Map<string, FaultyProcess>();

const faulty = (name: string): FaultyProcess => processes.get(name) ?? expect.fail(`there is no ${name}`);

beforeAll(async () => {
  cluster = await startCluster({ signers: SIGNERS.length, threshold: 2, presignatures: 1, faults: true });
  wallet = await makeFundedWallet(cluster);
  for (const { name } of cluster.status()) {
    if (/^(signer-|gateway|orchestrator)/.test(name)) processes.set(name, new FaultyProcess(cluster, name));
  }
  endpoint = createServer((request, response) => {
    request.resume().on("end", () => response.end());
  });
  await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
  const { port } = endpoint.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const subscribed = await cluster.api.send("POST", "/webhooks", { url, events: ["*"], status: "Enabled" });
  expect(subscribed.status).toBe(200);
});
afterAll(async () => {
  await cluster?.stop();
  endpoint?.close();
});

interface Sent {
  readonly to: `0x${string}`;
  readonly transfer: ApiTransfer;
}

/** Repeats a request with the same externalId until it is answered. */
const send = async (): Promise<Sent> => {
  const to = freshReceiver();
  made += 1;
  const body = { kind: "Native", to, amount: AMOUNT.toString(), externalId: `payment-${made}` } as const;
  const transfer = await waitUntil(
    () =>
      cluster.api.transfer(wallet.id, body).catch(async (cause: unknown) => {
        if (!(cause instanceof TypeError)) throw cause;
        if (faulty("gateway").hasEnded) await faulty("gateway").heal();
        return undefined;
      }),
    { what: "an answer", deadlineMs: CONFIRMED_MS },
  );
  return { to, transfer };
};

/** INV-4 INV-5: the transfer landed, and only once. */
const expectConfirmedOnce = async ({ to, transfer }: Sent): Promise<void> => {
  await cluster.api.confirmed(transfer, CONFIRMED_MS);
  expect(await cluster.chain.balance(to)).toBe(AMOUNT);
  expect(await cluster.chain.transactionCount(wallet.address)).toBe(made);
};

const processOf = (point: Point): FaultyProcess =>
  faulty(point === "transfer.accepted" ? "gateway" : "orchestrator");

describe("a process that dies", () => {
  it.each(pointsOf("transfer", "event", "webhook"))(
    "INV-4 INV-5 at %s loses and doubles nothing",
    async (point) => {
      const victim = processOf(point);
      victim.order({ points: [{ point, hit: 1 }] });
      const asked = send();
      if (victim.name !== "gateway") {
        await victim.ended();
        expect(victim.reached).toEqual({ point, hit: 1 });
        await victim.heal();
      }
      await expectConfirmedOnce(await asked);
      expect(victim.hasEnded).toBe(false);
    },
  );

  it.each(pointsOf("presignature"))("INV-2 INV-4 at %s loses no transfer", async (point) => {
    const victim = faulty(point === "presignature.leased" ? "orchestrator" : "signer-1");
    victim.order({ points: [{ point, hit: 1 }] });
    const sent: Sent[] = [];
    while (!victim.hasEnded && sent.length < TRANSFERS_MAX) {
      const one = await send();
      sent.push(one);
      await waitUntil(
        async () => {
          const { status } = await cluster.api.readTransfer(wallet.id, one.transfer.id);
          return victim.hasEnded || status === "Confirmed" ? true : undefined;
        },
        { what: "a transfer to end, or the process", deadlineMs: CONFIRMED_MS },
      );
    }
    await victim.ended();
    expect(victim.reached).toEqual({ point, hit: 1 });
    await victim.heal();
    for (const one of sent) await cluster.api.confirmed(one.transfer, CONFIRMED_MS);
    for (const { to } of sent) expect(await cluster.chain.balance(to)).toBe(AMOUNT);
    expect(await cluster.chain.transactionCount(wallet.address)).toBe(made);
  });
});

describe("a signer", () => {
  it.each(["full", "unsynced"] as const)(
    "INV-2 whose disk is %s ends and says why, while the others sign; once the disk is well it serves again",
    async (disk) => {
      const victim = faulty("signer-1");
      victim.order({ disk });
      const sent: Sent[] = [];
      while (!victim.hasEnded && sent.length < TRANSFERS_MAX) {
        const one = await send();
        sent.push(one);
        await expectConfirmedOnce(one);
      }
      await victim.ended();
      expect(victim.log).toContain("Nothing is signed that is not stored");
      expect(victim.log).toContain(disk === "full" ? "ENOSPC" : "EIO");
      await victim.heal();
      await cluster.ready();
      await expectConfirmedOnce(await send());
    },
  );

  it("INV-7 that lies in presign/2.D is named, and the others sign", async () => {
    const liar = faulty("signer-1");
    liar.order({ lies: ["presign/2.D"] });
    const caught = async (): Promise<boolean> =>
      /"culprit":1\b/.test(faulty("signer-2").log + faulty("signer-3").log);
    for (let sent = 0; sent < TRANSFERS_MAX && !(await caught()); sent += 1)
      await expectConfirmedOnce(await send());
    expect(await caught()).toBe(true);
    liar.order({});
    await expectConfirmedOnce(await send());
  });
});

const spentSchema = z.object({ digest: z.string() });

describe("the stores of all signers", () => {
  it("INV-2 hold the same digest for each spent presignature, which is ready at no signer that spent it", async () => {
    for (const name of processes.keys()) await cluster.stopProcess(name);
    const digests = new Map<string, Set<string>>();
    for (const index of SIGNERS) {
      const records = await recordsOf(cluster.layout.signer(index));
      const ready = records.filter(({ record }) => record.startsWith("presignature/"));
      const spent = records.filter(({ record }) => record.startsWith("spent/"));
      const readyIds = new Set(ready.map(({ record }) => record.slice("presignature/".length)));
      for (const { record, value } of spent) {
        const id = record.slice("spent/".length);
        expect(readyIds.has(id)).toBe(false);
        const { digest } = spentSchema.parse(JSON.parse(Buffer.from(value.reveal()).toString("utf8")));
        digests.set(id, (digests.get(id) ?? new Set()).add(digest));
      }
    }
    expect(digests.size).toBeGreaterThan(0);
    expect([...digests.values()].filter((each) => each.size !== 1)).toEqual([]);
  });
});

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ProcessOrders } from "./order-processes.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-orders-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ordered = () => {
  mkdirSync(join(folder, "signer-2"), { recursive: true });
  const ends = { startAgain: async () => undefined, keepDown: () => async () => undefined };
  const orders = new ProcessOrders({ layout: { faults: (name) => join(folder, name) } }, ends);
  const read = (): unknown => JSON.parse(readFileSync(join(folder, "signer-2", "orders.json"), "utf8"));
  return { orders, read };
};

it("two moves of one clock add up, and each ends by itself", async () => {
  const { orders, read } = ordered();
  const move = { kind: "clock", place: { kind: "signer", number: 2 }, byMs: 30_000 } as const;
  const [first, second] = [await orders.begin(move), await orders.begin(move)];
  expect(read()).toMatchObject({ clockMs: 60_000 });
  await first();
  expect(read()).toMatchObject({ clockMs: 30_000 });
  await second();
  expect(read()).toMatchObject({ clockMs: 0 });
});

it("a disk that is full twice, and unsynced, is well when the last of the three has ended", async () => {
  const { orders, read } = ordered();
  const [full, unsynced] = [
    { kind: "disk", signer: 2, failure: "full" },
    { kind: "disk", signer: 2, failure: "unsynced" },
  ] as const;
  const heals = [await orders.begin(unsynced), await orders.begin(full), await orders.begin(full)];
  const seen: unknown[] = [];
  for (const heal of heals.toReversed()) {
    seen.push(read());
    await heal();
  }
  expect([...seen, read()]).toMatchObject([
    { disk: "full" },
    { disk: "full" },
    { disk: "unsynced" },
    { disk: null },
  ]);
});

it("a signer lies in two messages at once, and in one of them until the last fault that says so has ended", async () => {
  const { orders, read } = ordered();
  const lie = (message: string) => orders.begin({ kind: "lie", signer: 2, message });
  const heals = [await lie("presign/2.D"), await lie("sign/5.sigma"), await lie("presign/2.D")];
  const seen: unknown[] = [];
  for (const heal of heals) {
    seen.push(read());
    await heal();
  }
  expect([...seen, read()]).toMatchObject([
    { lies: ["presign/2.D", "sign/5.sigma"] },
    { lies: ["sign/5.sigma", "presign/2.D"] },
    { lies: ["presign/2.D"] },
    { lies: [] },
  ]);
});

import { expect, test } from "vitest";
import { ownBook, PoolOfSigners, stockOver } from "../testing/pool-of-signers.ts";

/** The work that signers can do in one turn, in units, so that no clock is needed. */
const CAPACITY = 12;
/** Units of a presigning, for the stock or for a signature that found no presignature. */
const PRESIGNING = 10;
/** Units of an online round. */
const ONLINE = 1;
/** Turns of load, of which the last ones are measured, when throughput has settled. */
const TURNS = 300;
const SETTLED = 200;
const LANES = 12;
const TURN_MS = 1_000;

const keyIdOf = (number: number): string => `key-aaaaa-bbbbb-${String(number).padStart(16, "0")}`;

interface Job {
  left: number;
  readonly done: () => void;
}

/** The work of signers, distributed as their workers do: live work first, every fifth unit for the background. */
const workOfSigners = () => {
  const live: Job[] = [];
  const background: Job[] = [];
  let units = 0;
  const work = (): void => {
    for (let left = CAPACITY; left > 0; left--) {
      units += 1;
      const queues = units % 5 === 0 ? [background, live] : [live, background];
      const queue = queues.find(({ length }) => length > 0);
      const [job] = queue ?? [];
      if (job === undefined) continue;
      job.left -= 1;
      if (job.left > 0) continue;
      queue?.shift();
      job.done();
    }
  };
  return { live, background, work };
};

/** An orchestrator, and signers with limited capacity. Each turn brings requests. */
const underLoad = (stockedKeys: readonly string[]) => {
  const pool = new PoolOfSigners(5, 3);
  const { live, background, work } = workOfSigners();
  const w = stockOver(pool, {
    book: ownBook(),
    marks: { low: 1, high: 2 },
    newestKeys: stockedKeys,
    presign: (request) =>
      new Promise((resolve) => {
        background.push({ left: PRESIGNING, done: () => resolve(pool.presign(request)) });
      }),
  });
  const count = { signed: 0, pooled: 0, refilled: () => pool.made.length };
  const waiting: string[] = [];

  const begin = (keyId: string): void => {
    w.flags.begun += 1;
    w.stock.noteUse(keyId);
    const [first] = w.stock.offer(keyId);
    if (first !== undefined) {
      w.stock.take([first]);
      expect(pool.spend(first.id, `request ${w.flags.begun}`)).toBe(true);
      count.pooled += 1;
    }
    const done = (): void => {
      count.signed += 1;
    };
    live.push({ left: first === undefined ? PRESIGNING + ONLINE : ONLINE, done });
  };

  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    await w.stock.look();
    isLooking = false;
  };
  /** One turn: requests arrive, lanes take them, signers work, the stock runs a round. */
  const turn = async (requests: readonly string[]): Promise<void> => {
    waiting.push(...requests);
    while (live.length < LANES) {
      const next = waiting.shift();
      if (next === undefined) break;
      begin(next);
    }
    w.flags.live = live.length > 0 ? "now" : "none";
    void look();
    await new Promise(setImmediate);
    work();
    await new Promise(setImmediate);
    pool.monotonicMs += TURN_MS;
    await w.stock.renew();
  };
  return { pool, w, count, turn, backlog: () => waiting.length + live.length };
};

const readyOf = ({ w }: ReturnType<typeof underLoad>, keyId: string): number =>
  w.stock.view.sets.filter((set) => set.keyId === keyId).reduce((sum, { ready }) => sum + ready, 0);

test("load above the presigning rate: throughput settles at that rate, and refilling is no loss", async () => {
  const world = underLoad([keyIdOf(1)]);
  const { count, turn } = world;
  for (let at = 0; at < TURNS - SETTLED; at++) await turn([keyIdOf(1), keyIdOf(1), keyIdOf(1)]);
  const before = { signed: count.signed, refilled: count.refilled(), pooled: count.pooled };
  for (let at = 0; at < SETTLED; at++) await turn([keyIdOf(1), keyIdOf(1), keyIdOf(1)]);
  const [signed, refilled] = [count.signed - before.signed, count.refilled() - before.refilled];
  const rate = (SETTLED * CAPACITY) / (PRESIGNING + ONLINE);
  expect(signed).toBeGreaterThan(0.95 * rate);
  expect(signed).toBeLessThan(1.05 * rate);
  // the stock gets its share all the time, and live work the rest
  expect(refilled).toBeGreaterThan(0.15 * signed);
  expect(refilled).toBeLessThan(0.3 * signed);
  expect(count.pooled - before.pooled).toBeGreaterThan(0.9 * refilled);
  expect(world.pool.alarms).toBe(0);
});

test("load stops: the stock is full again after as many presignings as it lacks", async () => {
  const world = underLoad([keyIdOf(1)]);
  for (let at = 0; at < 100; at++) await world.turn([keyIdOf(1), keyIdOf(1), keyIdOf(1)]);
  while (world.backlog() > 0) await world.turn([]);
  const [made, ready] = [world.count.refilled(), readyOf(world, keyIdOf(1))];
  expect(ready).toBeLessThan(10);
  for (let at = 0; at < 30; at++) await world.turn([]);
  expect(readyOf(world, keyIdOf(1))).toBe(10);
  expect(world.count.refilled() - made).toBe(10 - ready);
});

test("no key that is used is empty while one that nobody uses hoards, under load and in a full stock", async () => {
  const unused = Array.from({ length: 4 }, (_, at) => keyIdOf(100 + at));
  const used = Array.from({ length: 30 }, (_, at) => keyIdOf(at));
  const world = underLoad(unused);
  for (const keyId of unused) {
    for (let count = 0; count < 50; count++) world.pool.hold(keyId, world.pool.parties.slice(0, 3));
  }
  await world.turn([]);
  expect(world.w.stock.view.ready).toBe(200);
  // each of thirty keys is used now and then, less often than presignatures can be made
  for (let at = 0; at < 450; at++) await world.turn(at % 3 === 0 ? [used[(at / 3) % 30] ?? ""] : []);
  for (let at = 0; at < 400; at++) await world.turn([]);
  const [least, most] = [
    Math.min(...used.map((keyId) => readyOf(world, keyId))),
    Math.max(...unused.map((keyId) => readyOf(world, keyId))),
  ];
  expect(least).toBeGreaterThanOrEqual(most);
  expect(least).toBeGreaterThan(0);
  expect(world.w.stock.view.ready).toBeLessThanOrEqual(200);
});

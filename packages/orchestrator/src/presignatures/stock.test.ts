import { beforeEach, describe, expect, test } from "vitest";
import { ownBook, PoolOfSigners, partyAt, stockOver } from "../testing/pool-of-signers.ts";

const KEY = "key-aaaaa-bbbbb-cccccccccccccc";
const OTHER = "key-aaaaa-bbbbb-dddddddddddddd";
const ORPHAN_MS = 60 * 60_000;
/** after this time, signers are asked again for their presignatures */
const LIST_MS = 10_001;

let pool: PoolOfSigners;
let w: ReturnType<typeof stockOver>;
beforeEach(() => {
  pool = new PoolOfSigners(3, 2);
  w = stockOver(pool, { book: ownBook(), marks: { low: 1, high: 2 }, newestKeys: [KEY] });
});

const fill = async (): Promise<void> => {
  for (let looks = 0, before = -1; pool.made.length > before && looks < 50; looks++) {
    before = pool.made.length;
    await w.stock.look();
  }
};

/** Takes one presignature, as an attempt of a signature does. */
const takeOne = (keyId = KEY) => {
  w.stock.noteUse(keyId);
  const [first] = w.stock.offer(keyId);
  if (first !== undefined) w.stock.take([first]);
  return first;
};

describe("the stock of presignatures", () => {
  test("is filled for the newest key until every set has as many as it should", async () => {
    await fill();
    expect(w.stock.view.ready).toBe(6);
    expect(w.stock.view.sets.map(({ signers, ready }) => [signers.join("-"), ready]).sort()).toEqual([
      ["1-2", 2],
      ["1-3", 2],
      ["2-3", 2],
    ]);
  });

  test("INV-5 is filled without a signer that refuses to presign, whatever it says", async () => {
    const liar = partyAt(1);
    pool.refusing = liar;
    for (let looks = 0; looks < 10; looks++) await w.stock.look();
    expect(w.stock.view.sets).toEqual([{ keyId: KEY, signers: [2, 3], ready: 2 }]);
    pool.refusing = undefined;
    await fill();
    expect(w.stock.view.ready).toBe(6);
  });

  test("is not touched while live work is under way, nor before the cluster is ready", async () => {
    w.flags.live = "now";
    await w.stock.look();
    w.flags.live = "none";
    w.flags.isReady = false;
    await w.stock.look();
    expect(pool.made).toEqual([]);
  });

  test("has its share of live work without end: one presigning for every four signatures", async () => {
    w.flags.live = "now";
    for (w.flags.begun = 1; w.flags.begun <= 16; w.flags.begun++) await w.stock.look();
    expect(pool.made).toHaveLength(4);
  });

  test("P6 hands nothing out twice, also when a list from before still names it", async () => {
    await fill();
    const first = takeOne();
    pool.monotonicMs += LIST_MS;
    await w.stock.look();
    expect(first).toBeDefined();
    expect(w.stock.offer(KEY).map(({ id }) => id)).not.toContain(first?.id);
  });

  test("gives a signature what it takes, and keeps the rest for others", async () => {
    await fill();
    expect(w.stock.offer(KEY)).toHaveLength(6);
    takeOne();
    expect(w.stock.view.ready).toBe(5);
  });

  test("takes up again what was handed out and never reached a signer, once no session can be using it", async () => {
    await fill();
    const taken = takeOne();
    const isThere = async (): Promise<boolean> => {
      await w.stock.look();
      return w.stock.offer(KEY).some(({ id }) => id === taken?.id);
    };
    pool.monotonicMs += 50_000;
    expect(await isThere()).toBe(false);
    pool.monotonicMs += LIST_MS;
    expect(await isThere()).toBe(false);
    pool.monotonicMs += LIST_MS;
    expect(await isThere()).toBe(true);
  });

  test.each([
    ["ahead", 1],
    ["behind", -1],
  ])("is whole again within one listing after this machine's clock was 25 hours %s", async (_, sign) => {
    await fill();
    const before = w.stock.view;
    const right = pool.beganMs;
    pool.beganMs = right + sign * 25 * 3_600_000;
    pool.monotonicMs += LIST_MS;
    await w.stock.look();
    pool.beganMs = right;
    pool.monotonicMs += LIST_MS;
    await w.stock.look();
    expect(w.stock.view.ready).toBeGreaterThanOrEqual(before.ready);
  });

  test("INV-5 stays what it is while a signer that lives is too busy to say what it holds", async () => {
    await fill();
    pool.silent.add(partyAt(1));
    pool.monotonicMs += LIST_MS;
    await w.stock.look();
    expect(w.stock.offer(KEY)).toHaveLength(6);
  });

  test("loses what one signer does not have any more, whatever another one does not say", async () => {
    await fill();
    const [gone] = w.stock.offer(KEY).filter(({ signers }) => signers.join("-") === "1-2");
    pool.spend(gone?.id ?? expect.fail("nothing of this set"), "by hand");
    pool.silent.add(partyAt(1));
    pool.monotonicMs += LIST_MS;
    await w.stock.look();
    expect(w.stock.offer(KEY).map(({ id }) => id)).not.toContain(gone?.id);
    expect(w.stock.offer(KEY)).toHaveLength(5);
  });

  test("has nothing for a key that nobody presigned for, and begins to", async () => {
    expect(takeOne("key-2")).toBeUndefined();
    await fill();
    expect(pool.made.some(({ keyId }) => keyId === "key-2")).toBe(true);
  });

  test("is for a key that is used, whatever hoards: its oldest presignature makes room when the stock is full", async () => {
    for (let count = 0; count < 200; count++) pool.hold(OTHER, [partyAt(1), partyAt(2)]);
    await w.stock.look();
    w.stock.noteUse(KEY);
    await fill();
    expect(w.stock.view.sets.filter(({ keyId }) => keyId === KEY).map(({ ready }) => ready)).toEqual([
      2, 2, 2,
    ]);
    expect(w.stock.view.ready).toBe(200);
    expect(new Set(pool.discarded).size).toBe(6);
  });

  test("rests when a presigning fails, and loses nothing", async () => {
    pool.fails = true;
    expect(await w.stock.look()).toBeGreaterThanOrEqual(100);
    pool.fails = false;
    await fill();
    expect(w.stock.view.ready).toBe(6);
  });

  test("INV-7 is neither made nor handed out for two signers that failed together while others can do it", async () => {
    await fill();
    w.flags.apart = [partyAt(1), partyAt(2)];
    const offered = w.stock.offer(KEY);
    expect(offered.length).toBeGreaterThan(0);
    expect(offered.filter(({ signers }) => String(signers) === "1,2")).toEqual([]);
    w.stock.take(offered);
    const [before] = [pool.made.length];
    await fill();
    expect(pool.made.length).toBeGreaterThan(before);
    expect(pool.made.slice(before).map(({ signers }) => String(signers))).not.toContain("1,2");
  });

  test("is handed out for two signers that failed together when there is no other", async () => {
    pool.hold(KEY, [partyAt(1), partyAt(2)]);
    w.flags.apart = [partyAt(1), partyAt(2)];
    pool.fails = true;
    await w.stock.look();
    expect(w.stock.offer(KEY)).toHaveLength(1);
  });

  test("knows after a start what the signers kept, and has orphans discarded", async () => {
    pool.hold(KEY, [partyAt(1), partyAt(2)]);
    const orphan = pool.hold(KEY, [partyAt(2), partyAt(3)], [partyAt(3)]);
    pool.monotonicMs += ORPHAN_MS;
    await w.stock.look();
    expect(pool.discarded).toEqual([orphan]);
    expect(w.stock.view.sets.some(({ signers }) => signers.join("-") === "1-2")).toBe(true);
  });
});

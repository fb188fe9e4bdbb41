import type { ListedPresignature, LiveWork, PresigningResult } from "@conclave/cluster";
import { ok, problem } from "@conclave/custody";
import { type Database, makeLogger } from "@conclave/platform";
import type { CoordinationOutcome as Outcome, Signer } from "@conclave/platform/coordination";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { beforeEach, describe, expect, test } from "vitest";
import type { PresigningRequest } from "./coordinators.ts";
import { PresignatureStock } from "./presignatures.ts";

const party = (index: number): PartyIndex => partyIndex(index) ?? expect.fail("no party");
const PARTIES = [1, 2, 3].map(party);
const KEY = "key-aaaaa-bbbbb-cccccccccccccc";
const HOUR_MS = 60 * 60_000;

interface Flags {
  live: LiveWork;
  isReady: boolean;
  fails: boolean;
  apart: readonly PartyIndex[];
}

/** Signers that hold what was made with them, as lists; the database knows one key. */
const world = () => {
  const held = new Map<PartyIndex, ListedPresignature[]>(PARTIES.map((index) => [index, []]));
  const discarded: string[] = [];
  const made: PresigningRequest[] = [];
  const flags: Flags = { live: "none", isReady: true, fails: false, apart: [] };
  const signer = (index: PartyIndex): Pick<Signer, "listPresignatures" | "discardPresignatures"> => ({
    listPresignatures: async () => ok(held.get(index) ?? []),
    discardPresignatures: async (ids) => {
      discarded.push(...ids);
      return ok(ids.length);
    },
  });
  const make = (keyId: string, signers: readonly PartyIndex[], createdAtMs = Date.now()): string => {
    const id = made.length.toString(16).padStart(64, "0");
    const entry = { id, keyId, signers, createdAtMs, expiresAtMs: Date.now() + HOUR_MS, isUsable: true };
    for (const index of signers) held.get(index)?.push(entry);
    return id;
  };
  const presign = async (request: PresigningRequest): Promise<Outcome<PresigningResult>> => {
    if (flags.fails) return { kind: "failed", problem: problem("ServiceUnavailable") };
    const id = make(request.keyId, request.signers);
    made.push(request);
    return { kind: "done", value: { ...request, id, expiresAtMs: Date.now() + HOUR_MS } };
  };
  const database: Pick<Database, "rows"> = { rows: async (schema) => [schema.parse({ id: KEY })] };
  const stock = new PresignatureStock({
    database,
    signers: {
      threshold: 2,
      all: () => PARTIES.map((index) => ({ index })),
      live: () => PARTIES,
      get: (index) => (PARTIES.includes(index) ? signer(index) : undefined),
    },
    marks: { low: 1, high: 2 },
    live: () => flags.live,
    isReady: () => flags.isReady,
    usable: () => PARTIES,
    isApart: (signers) => flags.apart.length > 0 && flags.apart.every((signer) => signers.includes(signer)),
    presign,
    logger: makeLogger({ name: "test", level: "silent" }),
  });
  return { stock, made, held, discarded, flags, make };
};

let w: ReturnType<typeof world>;
beforeEach(() => {
  w = world();
});

const fill = async (): Promise<void> => {
  for (let looks = 0, before = -1; w.made.length > before && looks < 50; looks++) {
    before = w.made.length;
    await w.stock.look();
  }
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

  test("is not touched while live work is under way, nor before the cluster is ready", async () => {
    w.flags.live = "now";
    await w.stock.look();
    w.flags.live = "none";
    w.flags.isReady = false;
    await w.stock.look();
    expect(w.made).toEqual([]);
  });

  test("P6 hands nothing out twice, also when a list from before still names it", async () => {
    await fill();
    const first = w.stock.take(KEY, 1).map(({ id }) => id);
    await w.stock.look();
    const second = w.stock.take(KEY, 1).map(({ id }) => id);
    expect(first.length).toBeGreaterThan(0);
    expect(second.filter((id) => first.includes(id))).toEqual([]);
  });

  test("takes back what was not tried", async () => {
    await fill();
    const taken = w.stock.take(KEY, 1);
    const before = w.stock.view.ready;
    w.stock.giveBack(taken);
    expect(w.stock.view.ready).toBe(before + taken.length);
  });

  test("has nothing for a key that nobody presigned for, and begins to", async () => {
    expect(w.stock.take("key-2", 1)).toEqual([]);
    await fill();
    expect(w.made.some(({ keyId }) => keyId === "key-2")).toBe(true);
  });

  test("rests when a presigning fails, and loses nothing", async () => {
    w.flags.fails = true;
    expect(await w.stock.look()).toBeGreaterThanOrEqual(100);
    w.flags.fails = false;
    await fill();
    expect(w.stock.view.ready).toBe(6);
  });

  test("INV-7 is neither made nor handed out for two signers that failed together while others can do it", async () => {
    await fill();
    w.flags.apart = [party(1), party(2)];
    const taken = w.stock.take(KEY, 1);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.filter(({ signers }) => String(signers) === "1,2")).toEqual([]);
    const [before] = [w.made.length];
    await fill();
    expect(w.made.slice(before).map(({ signers }) => String(signers))).not.toContain("1,2");
  });

  test("is handed out for two signers that failed together when there is no other", async () => {
    w.make(KEY, [party(1), party(2)]);
    w.flags.apart = [party(1), party(2)];
    w.flags.live = "none";
    await w.stock.look();
    const [only] = w.stock.take(KEY, 1);
    expect(only).toBeDefined();
  });

  test("knows after a start what the signers kept, and has orphans discarded", async () => {
    w.make(KEY, [party(1), party(2)]);
    const orphan = "f".repeat(64);
    w.held.get(party(3))?.push({
      id: orphan,
      keyId: KEY,
      signers: [party(2), party(3)],
      createdAtMs: Date.now() - HOUR_MS,
      expiresAtMs: Date.now() + HOUR_MS,
      isUsable: true,
    });
    await w.stock.look();
    expect(w.discarded).toEqual([orphan]);
    expect(w.stock.view.sets.some(({ signers }) => signers.join("-") === "1-2")).toBe(true);
  });
});

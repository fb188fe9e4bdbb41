import { organisationIdSchema, type WalletId, walletIdSchema } from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshId } from "../../fresh-id.ts";
import { DATABASES } from "../../testing/store/real-time-model.ts";
import type { Database } from "../database.ts";
import {
  type Claim,
  claimDue,
  countDueRequests,
  type DueRequest,
  enqueue,
  extendClaims,
  failClaim,
  finishClaim,
  listParked,
  parkClaim,
  postponeClaim,
  takeUpParked,
} from "./index.ts";

const LEASE_MS = 10_000;
const [one, other] = [freshId(organisationIdSchema, "or"), freshId(organisationIdSchema, "or")];
const wallet = (): WalletId => freshId(walletIdSchema, "wa");

describe.each(DATABASES)("the queue %s", (_, open) => {
  let owner: Database;
  let database: Database;
  const announced: string[] = [];
  beforeAll(async () => {
    ({ owner, orchestrator: database } = await open((subject) => void announced.push(subject)));
  });
  afterAll(() => Promise.all([owner.close(), database.close()]));

  let made = 0;
  beforeEach(async () => {
    await owner.execute("truncate due_requests, served_turns", []);
  });

  const ask = async (change: Partial<DueRequest> = {}): Promise<string> => {
    made += 1;
    const due: DueRequest = {
      id: `xfr-${made}`,
      kind: "transfer",
      orgId: one,
      lane: "EthereumSepolia",
      line: undefined,
      ...change,
    };
    await enqueue(owner, due);
    return due.id;
  };
  const claim = (slots = 1, lane = "EthereumSepolia", leaseMs = LEASE_MS): Promise<readonly Claim[]> =>
    claimDue(database, new Map([[lane, slots]]), crypto.randomUUID(), leaseMs);
  const claimOne = async (leaseMs = LEASE_MS): Promise<Claim> =>
    (await claim(1, "EthereumSepolia", leaseMs))[0] ?? expect.fail("nothing is due");
  const idsOf = (claims: readonly Claim[]) => claims.map(({ id }) => id);
  const rows = () =>
    owner.rows(
      z.object({ id: z.string(), line: z.string().nullable(), is_head: z.boolean() }),
      "select id, line, is_head from due_requests order by seq",
    );

  describe("a request that is due", () => {
    it("is announced once its transaction has committed, and not when it was rolled back", async () => {
      announced.length = 0;
      const lost = owner.transaction(async (connection) => {
        await enqueue(connection, { id: "lost", kind: "key", orgId: one, lane: "key", line: undefined });
        throw new Error("crash before the commit");
      });
      await expect(lost).rejects.toThrow("crash");
      expect([announced, await rows()]).toEqual([[], []]);
      await ask();
      expect(announced).toEqual(["conclave.due.requests"]);
    });

    it("is taken by one process alone, however many look", async () => {
      for (let count = 0; count < 60; count += 1) await ask();
      const taken: string[] = [];
      const take = async () => {
        for (let claims = await claim(4); claims.length > 0; claims = await claim(4))
          taken.push(...idsOf(claims));
      };
      await Promise.all([take(), take(), take()]);
      // two claims that choose the same request: one gets it, and the other looks again
      await take();
      expect([taken.length, new Set(taken).size]).toEqual([60, 60]);
    });

    it("is taken in the lanes that have room, and left to others in those that have not", async () => {
      const here = await ask();
      const there = await ask({ lane: "Polygon" });
      await ask({ lane: "Polygon" });
      expect(idsOf(await claim(4))).toEqual([here]);
      expect(idsOf(await claim(1, "Polygon"))).toEqual([there]);
    });

    it("is taken in turn by organisation: one with hundreds delays another's by one request at most", async () => {
      for (let count = 0; count < 200; count += 1) await ask();
      const first = await claimOne();
      await finishClaim(database, first);
      const late = await ask({ orgId: other });
      expect((await claimOne()).id).toBe(late);
      expect((await claimOne()).id).not.toBe(late);
    });

    it("stays when it is asked for again while somebody looks at it", async () => {
      const id = await ask();
      const claimed = await claimOne();
      await ask({ id });
      expect(await finishClaim(database, claimed)).toBe(true);
      const again = await claimOne();
      expect([again.id, again.attempt]).toEqual([id, 2]);
      expect(await finishClaim(database, again)).toBe(true);
      expect(await rows()).toEqual([]);
    });

    it("INV-5 is looked at when it is asked for again after it was put aside, whatever failed before", async () => {
      const id = await ask();
      for (let count = 0; count < 9; count += 1) await failClaim(database, await claimOne(), 0, "it throws");
      await parkClaim(database, await claimOne(), "it throws", true);
      await ask({ id });
      // if it kept its failures, the next one would park it again at once
      expect((await claimOne()).failures).toBe(0);
    });

    it("is counted by lane", async () => {
      const line = wallet();
      for (const each of [1, 2, 3]) await ask({ line, id: `line-${each}` });
      await parkClaim(database, await claimOne(), "it throws", true);
      await ask({ lane: "key", kind: "key" });
      expect(await countDueRequests(database)).toEqual([
        { lane: "EthereumSepolia", due: 1, waiting: 1, parked: 1 },
        { lane: "key", due: 1, waiting: 0, parked: 0 },
      ]);
    });
  });

  describe("a lease", () => {
    it("INV-4 that has ended gives the request to another process, and its holder before changes nothing any more", async () => {
      const id = await ask();
      const paused = await claimOne(0);
      const successor = await claimOne();
      expect([successor.id, successor.attempt, successor.failures]).toEqual([id, 2, 1]);
      expect(await extendClaims(database, [paused, successor], LEASE_MS, 60_000)).toEqual([successor]);
      const before = await owner.rows(z.unknown(), "select * from due_requests");
      const late = [
        await finishClaim(database, paused),
        await postponeClaim(database, paused, 0),
        await failClaim(database, paused, 0, "late"),
        await parkClaim(database, paused, "late", true),
      ];
      expect(late).toEqual([false, false, false, false]);
      expect(await owner.rows(z.unknown(), "select * from due_requests")).toEqual(before);
      expect(await finishClaim(database, successor)).toBe(true);
    });

    it("is extended up to a bound: a process that holds it for longer may hang", async () => {
      await ask();
      const claimed = await claimOne();
      expect(await extendClaims(database, [claimed], LEASE_MS, 60_000)).toEqual([claimed]);
      expect(await extendClaims(database, [claimed], LEASE_MS, 0)).toEqual([]);
    });

    it("that was given back is due after its delay, and its failures are forgotten", async () => {
      await ask();
      await failClaim(database, await claimOne(), 0, "it throws");
      const again = await claimOne();
      expect(again.failures).toBe(1);
      await postponeClaim(database, again, 60_000);
      expect(await claim()).toEqual([]);
      await owner.execute("update due_requests set due_at = now()", []);
      expect((await claimOne()).failures).toBe(0);
    });
  });

  describe("a line", () => {
    it("has one request that is due; the next one is when that is finished", async () => {
      const line = wallet();
      const [first, second, third] = [await ask({ line }), await ask({ line }), await ask({ line })];
      const head = await claimOne();
      expect([head.id, await claim(4)]).toEqual([first, []]);
      // a head that is released keeps its place in the line
      await postponeClaim(database, head, 0);
      const again = await claimOne();
      expect([again.id, await claim(4)]).toEqual([first, []]);
      await finishClaim(database, again);
      const next = await claimOne();
      expect(next.id).toBe(second);
      await finishClaim(database, next);
      expect((await claimOne()).id).toBe(third);
    });

    it("goes on without a parked request that lets it, and that request joins it again later", async () => {
      const line = wallet();
      const [first, second] = [await ask({ line }), await ask({ line })];
      await parkClaim(database, await claimOne(), "it throws", true);
      const next = await claimOne();
      expect(next.id).toBe(second);
      expect(await takeUpParked(database, { ids: [first] })).toBe(1);
      expect(await claim()).toEqual([]);
      await finishClaim(database, next);
      expect((await claimOne()).id).toBe(first);
    });

    it("stops behind a parked request that does not let it: a transaction of that one may land", async () => {
      const line = wallet();
      const [first] = [await ask({ line }), await ask({ line })];
      await parkClaim(database, await claimOne(), "it throws", false);
      expect(await claim()).toEqual([]);
      expect(await listParked(database, 10)).toMatchObject([{ id: first, reason: "it throws", failures: 1 }]);
      expect(await takeUpParked(database, { parkedForMs: 60_000 })).toBe(0);
      expect(await takeUpParked(database, { parkedForMs: 0 })).toBe(1);
      expect((await claimOne()).id).toBe(first);
    });

    it("INV-5 always has a head, whatever requests join and leave at the same time", async () => {
      const lines = [wallet(), wallet(), wallet()];
      const joining = async (line: WalletId) => {
        for (let count = 0; count < 40; count += 1) await ask({ line });
      };
      let left = 0;
      const leaving = async () => {
        while (left < 100) {
          for (const claimed of await claim(2)) {
            await finishClaim(database, claimed);
            left += 1;
          }
        }
      };
      await Promise.all([...lines.map(joining), leaving(), leaving()]);
      const heads = new Map<string, number>();
      for (const { line, is_head: isHead } of await rows()) {
        heads.set(line ?? "", (heads.get(line ?? "") ?? 0) + (isHead ? 1 : 0));
      }
      expect([...heads.values()].every((count) => count === 1)).toBe(true);
      for (let claims = await claim(3); claims.length > 0; claims = await claim(3)) {
        for (const claimed of claims) await finishClaim(database, claimed);
      }
      expect(await rows()).toEqual([]);
    });
  });
});

import type { ChainRequest, ChainRequestId } from "@conclave/custody";
import {
  changeChainRequest,
  type Database,
  listEvents,
  lockChainRequest,
  Outage,
  readChainRequest,
  readVersionedRequest,
  type VersionedRequest,
} from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startWorld, type World } from "../testing/world.ts";
import { apply, failUnsigned } from "./apply.ts";

const BEGUN = { kind: "Begun" } as const;
const SIGNED = "unsigned_transaction = '\\x02', signed_transaction = '\\x04', tx_hash = '0x01'";

let world: World;
let database: Database;
let id: ChainRequestId;
let seen: VersionedRequest;
beforeAll(async () => {
  world = await startWorld();
  database = world.orchestratorDatabase;
});
afterAll(() => world.stop());
beforeEach(async () => {
  ({ id } = await world.transfer(await world.wallet()));
  seen = (await readVersionedRequest(database, id)) ?? expect.fail("no request");
});

const now = async (): Promise<ChainRequest> =>
  (await readChainRequest(world.database, id)) ?? expect.fail("no request");
const arrange = (change: string) =>
  world.database.execute(`update chain_requests set ${change} where id = $1`, [id]);

/** A database in which another writer is faster before each of the first commits. */
const beaten = (
  times: number,
  by: () => Promise<unknown>,
): Database & { readonly counts: Record<string, number> } => {
  const counts = { commits: 0, reads: 0, transactions: 0 };
  return {
    ...database,
    counts,
    rows: (schema, text, values) => {
      counts.reads += 1;
      return database.rows(schema, text, values);
    },
    commit: async (schema, text, values) => {
      counts.commits += 1;
      if (counts.commits <= times) await by();
      return database.commit(schema, text, values);
    },
    transaction: (work) => {
      counts.transactions += 1;
      return database.transaction(work);
    },
  };
};
const touch = () => arrange("reason = reason");

describe("a request that is moved on", () => {
  it("costs one round trip where nobody else changes it", async () => {
    const alone = beaten(0, touch);
    expect(await apply(alone, seen, BEGUN)).toMatchObject({
      ok: true,
      value: { request: { status: "Executing" } },
    });
    expect(alone.counts).toEqual({ commits: 1, reads: 0, transactions: 0 });
  });

  it("is read and decided anew when somebody else was faster", async () => {
    const second = beaten(1, touch);
    expect((await apply(second, seen, BEGUN)).ok).toBe(true);
    expect(second.counts).toEqual({ commits: 2, reads: 1, transactions: 0 });
  });

  it("is left for later where others are faster each time", async () => {
    const last = beaten(99, touch);
    await expect(apply(last, seen, BEGUN)).rejects.toThrow("others changed it each of 16 times");
    expect(last.counts).toEqual({ commits: 16, reads: 16, transactions: 0 });
    expect((await now()).status).toBe("Pending");
  });

  it("INV-4 is not what it was: what does not fit any more is refused, by the row as it is then", async () => {
    const aborted = beaten(1, () => arrange("status = 'Rejected', date_aborted = now()"));
    expect(await apply(aborted, seen, BEGUN)).toMatchObject({
      ok: false,
      problem: { code: "RequestStateInvalid", details: { status: "Rejected" } },
    });
    await arrange("date_aborted = null, status = 'Pending'");
    expect((await apply(database, { ...seen, request: await now() }, BEGUN)).ok).toBe(true);
  });

  it("is judged by its row even where what was read long ago would be refused", async () => {
    const late = { kind: "Waiting", reason: "so" } as const;
    await arrange("status = 'Executing'");
    expect(await apply(database, seen, late)).toMatchObject({
      ok: true,
      value: { request: { reason: "so" } },
    });
  });

  it("INV-5 INV-6 throws that the outcome is unknown when the answer is lost, and is looked at again", async () => {
    await arrange(`status = 'Executing', ${SIGNED}`);
    const read = (await readVersionedRequest(database, id)) ?? expect.fail("no request");
    const broadcasted = { kind: "Broadcasted", date: "2026-01-02T03:04:05.678Z" } as const;
    const losing: Database = {
      ...database,
      commit: async (schema, text, values) => {
        await database.commit(schema, text, values);
        throw new Outage("database", new Error("its answer is lost"), "OutcomeUnknown");
      },
    };
    await expect(apply(losing, read, broadcasted)).rejects.toSatisfy(
      (error) => error instanceof Outage && error.problem.code === "OutcomeUnknown",
    );
    expect((await apply(database, read, broadcasted)).ok).toBe(false);
    const recorded = (await listEvents(world.database, id)).filter(({ kind }) =>
      kind.endsWith("broadcasted"),
    );
    expect([(await now()).status, recorded.length]).toEqual(["Broadcasted", 1]);
  });
});

describe("a request that fails before it is signed", () => {
  const work = (on: Database) => ({ database: on, world: processWorld });

  it("fails", async () => {
    await failUnsigned(work(database), seen, "so");
    expect(await now()).toMatchObject({ status: "Failed", reason: "so" });
  });

  it.each([1, 2, 3])(
    "INV-4 does not fail once another delivery has had it signed, after %i lost races",
    async (times) => {
      let races = 0;
      const signedLast = beaten(times, () => {
        races += 1;
        return races === times ? arrange(`status = 'Executing', ${SIGNED}`) : touch();
      });
      await failUnsigned(work(signedLast), seen, "so");
      expect(await now()).toMatchObject({ status: "Executing", txHash: "0x01" });
    },
  );

  it("INV-5 does not fail for bytes that another delivery has built anew meanwhile", async () => {
    await arrange("status = 'Executing', unsigned_transaction = '\\x01'");
    const read = (await readVersionedRequest(database, id)) ?? expect.fail("no request");
    const renewed = beaten(1, () => arrange("unsigned_transaction = '\\x02'"));
    await failUnsigned(work(renewed), read, "the signers refuse the earlier ones");
    expect(await now()).toMatchObject({ status: "Executing", reason: undefined });
    await failUnsigned(work(database), { ...read, request: await now() }, "so");
    expect(await now()).toMatchObject({ status: "Failed" });
  });

  it("gives its place back in the same commit when it was to replace another", async () => {
    await arrange(`status = 'Executing', sequence = 0, ${SIGNED}`);
    const wallet = (await world.wallet()) ?? expect.fail("no wallet");
    const replacement = await world.transaction(
      wallet,
      { kind: "Call", value: "0", data: "0x" },
      await now(),
    );
    expect((await now()).replacementId).toBe(replacement.id);
    const read = (await readVersionedRequest(database, replacement.id)) ?? expect.fail("no request");
    const counted = beaten(0, touch);
    await failUnsigned(work(counted), read, "so");
    // only the request that it was to replace is read
    expect(counted.counts).toEqual({ commits: 1, reads: 1, transactions: 0 });
    expect((await now()).replacementId).toBeUndefined();
    const locked = await database.transaction(async (connection) => {
      const request = (await lockChainRequest(connection, replacement.id)) ?? expect.fail("no request");
      return changeChainRequest(connection, request, BEGUN);
    });
    expect(locked.ok).toBe(false);
  });
});

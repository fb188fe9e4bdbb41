import { FAMILIES } from "@conclave/chains";
import { KEY_STORE, MOST_OPEN_BULK_JOBS, MOST_WALLETS_OF_A_JOB, WALLETS_IN_FLIGHT } from "@conclave/custody";
import { listEvents, makeLogger, openDatabase } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { makeAuthority } from "../authority.ts";
import { errorOf } from "../testing/bodies.ts";
import { type Person, personWith } from "../testing/people.ts";
import { ACTIVATED, CLUSTER, type ScriptedEvent, startWorld, type World } from "../testing/world.ts";
import { type BulkCarryingOn, carryOnBulkJobs, startBulkWallets } from "./carry-on.ts";

const BODY = { network: "EthereumSepolia", count: 3, name: "Customer" };
const PATH = "/wallets/bulk-create";
const AWAY: ScriptedEvent = {
  kind: "GenerationFailed",
  problem: { code: "SignersUnavailable", message: "signer-2 is away", details: {} },
};
const WORDS = "2 of 3 wallets were not made: signer-2 is away";

const jobSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  completedCount: z.number(),
  totalCount: z.number(),
  reason: z.string().optional(),
  nextRetryDate: z.string().optional(),
  nextRetryAttempt: z.number().optional(),
});
const begunSchema = z.strictObject({ id: z.string(), status: z.literal("Pending") });
const walletsSchema = z.object({
  items: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      tags: z.array(z.string()),
      signingKey: z.object({ id: z.string() }).loose(),
    }),
  ),
  nextPageToken: z.string().optional(),
});
const madeSchema = z.object({ count: z.int() });

let world: World;
let clock = 0;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
afterEach(async () => {
  world.script(ACTIVATED);
  clock = 0;
  await world.database.execute("delete from bulk_wallets");
  await world.database.execute("delete from bulk_wallet_jobs");
});

const now = () => new Date(Date.now() + clock);
const partsOf = (database = world.database): BulkCarryingOn => ({
  database,
  families: FAMILIES,
  authority: makeAuthority(world.authoritySigningKey, CLUSTER, now),
  threshold: 3,
  now,
  world: processWorld,
  logger: makeLogger({ name: "test", level: "silent" }),
});
const ask = async (
  change: object = {},
  call: World["call"] | Person["call"] = world.call,
): Promise<string> => {
  const { status, body } = await call("POST", PATH, { ...BODY, ...change });
  expect([status, body]).toMatchObject([200, {}]);
  return begunSchema.parse(body).id;
};
const read = async (id: string) => jobSchema.parse((await world.call("GET", `${PATH}/${id}`)).body);
const walletsOf = async (id: string, query = "") =>
  walletsSchema.parse((await world.call("GET", `${PATH}/${id}/wallets${query}`)).body);
const countOf = async (text: string, values: readonly unknown[] = []): Promise<number> => {
  const [found] = await world.database.rows(madeSchema, `select count(*)::int as count from ${text}`, values);
  return found?.count ?? 0;
};
const inFlight = (id: string) =>
  countOf(
    "bulk_wallets b join wallets w on w.id = b.wallet_id where b.job_id = $1 and w.status = 'Creating'",
    [id],
  );
/** Carries the jobs on, step by step, until a job is as wanted. */
const carriedOn = async (
  id: string,
  isWanted: (job: z.output<typeof jobSchema>) => boolean,
  parts = partsOf(),
) => {
  await expect
    .poll(
      async () => {
        await carryOnBulkJobs(parts);
        return isWanted(await read(id));
      },
      { timeout: 20_000 },
    )
    .toBe(true);
  return read(id);
};
const isOver = ({ status }: { readonly status: string }) => status !== "Pending" && status !== "InProgress";
const refusal = async (
  method: string,
  path: string,
  body?: unknown,
  call: World["call"] | Person["call"] = world.call,
) => {
  const answer = await call(method, path, body);
  return [answer.status, errorOf(answer.body).details.code];
};

describe("POST /wallets/bulk-create", () => {
  it("makes each wallet with a key of its own, authorised, announced once, and lists them by id", async () => {
    const id = await ask({ tags: ["branches", "branches"], keystoreId: KEY_STORE.id });
    expect(await read(id)).toMatchObject({ status: "Pending", completedCount: 0, totalCount: 3 });
    const done = await carriedOn(id, isOver);
    expect(done).toEqual({
      id,
      orgId: world.caller.orgId,
      status: "Completed",
      network: "EthereumSepolia",
      namePrefix: "Customer",
      tags: ["branches"],
      totalCount: 3,
      completedCount: 3,
      keystoreId: KEY_STORE.id,
      dateCreated: expect.any(String),
      dateUpdated: expect.any(String),
      dateCompleted: expect.any(String),
    });
    const { items } = await walletsOf(id);
    expect(items.map(({ name }) => name).sort()).toEqual(["Customer-1", "Customer-2", "Customer-3"]);
    expect(items.map((wallet) => wallet.id)).toEqual(items.map((wallet) => wallet.id).sort());
    expect(new Set(items.map(({ signingKey }) => signingKey.id)).size).toBe(3);
    for (const wallet of items) {
      expect(wallet.tags).toEqual(["branches"]);
      expect((await world.call("GET", `/wallets/${wallet.id}`)).body).toEqual(wallet);
      expect((await listEvents(world.database, wallet.id)).map(({ kind }) => kind)).toEqual([
        "wallet.created",
      ]);
    }
  });

  it("pages the wallets without gap or repetition", async () => {
    const id = await ask();
    await carriedOn(id, isOver);
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const page = await walletsOf(id, `?limit=1${next === undefined ? "" : `&paginationToken=${next}`}`);
      seen.push(...page.items.map((wallet) => wallet.id));
      next = page.nextPageToken;
    } while (next !== undefined);
    expect(seen).toEqual((await walletsOf(id)).items.map((wallet) => wallet.id));
    expect(seen).toHaveLength(3);
  });

  it("INV-9 refuses wrong bodies, and stores nothing", async () => {
    const wrong = [
      [{ ...BODY, count: 0 }, 400, "InvalidBody"],
      [{ ...BODY, count: MOST_WALLETS_OF_A_JOB + 1 }, 400, "InvalidBody"],
      [{ ...BODY, count: 1.5 }, 400, "InvalidBody"],
      [{ ...BODY, count: "3" }, 400, "InvalidBody"],
      [{ ...BODY, name: "" }, 400, "InvalidBody"],
      [{ ...BODY, name: "n".repeat(96) }, 400, "InvalidBody"],
      [{ ...BODY, name: "a\nb" }, 400, "InvalidBody"],
      [{ network: BODY.network, count: 3 }, 400, "InvalidBody"],
      [{ ...BODY, tags: ["no space"] }, 400, "InvalidBody"],
      [{ ...BODY, externalId: "x" }, 400, "InvalidBody"],
      [{ ...BODY, keystoreId: "ks-1" }, 400, "KeyStoreUnknown"],
      [{ ...BODY, network: "Nowhere" }, 400, "NetworkUnknown"],
      [{ ...BODY, network: "Ethereum" }, 400, "NetworkNotEnabled"],
      ["no JSON", 400, "InvalidJson"],
    ] as const;
    for (const [body, status, code] of wrong)
      expect(await refusal("POST", PATH, body)).toEqual([status, code]);
    expect(await countOf("bulk_wallet_jobs")).toBe(0);
  });

  it("needs the permissions of single wallets", async () => {
    const [nobody, maker, reader] = [
      await personWith(world, []),
      await personWith(world, ["Wallets:Create"]),
      await personWith(world, ["Wallets:Read"]),
    ];
    expect(await refusal("POST", PATH, BODY, nobody.call)).toEqual([403, "PermissionMissing"]);
    expect(await refusal("POST", PATH, { ...BODY, tags: ["a"] }, maker.call)).toEqual([
      403,
      "PermissionMissing",
    ]);
    const id = await ask({}, maker.call);
    for (const path of [PATH, `${PATH}/${id}`, `${PATH}/${id}/wallets`]) {
      expect(await refusal("GET", path, undefined, maker.call)).toEqual([403, "PermissionMissing"]);
    }
    expect((await reader.call("GET", `${PATH}/${id}`)).status).toBe(200);
  });

  it("lets an organisation have so many open jobs, also of requests at the same moment", async () => {
    const asked = await Promise.all(
      Array.from({ length: MOST_OPEN_BULK_JOBS + 2 }, (_, at) =>
        (at % 2 === 0 ? world.call : world.callBeside)("POST", PATH, { ...BODY, count: 1 }),
      ),
    );
    expect(asked.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: MOST_OPEN_BULK_JOBS }, () => 200),
      422,
      422,
    ]);
    const [one] = asked.filter(({ status }) => status === 200);
    await carriedOn(begunSchema.parse(one?.body).id, isOver);
    await ask();
  });
});

describe("a job", () => {
  it("has so many keys in the making, and the organisation's next job waits for it", async () => {
    world.script(undefined);
    const id = await ask({ count: 7 });
    const next = await ask();
    for (const _ of [1, 2, 3]) await carryOnBulkJobs(partsOf());
    expect([await inFlight(id), await inFlight(next)]).toEqual([WALLETS_IN_FLIGHT, 0]);
    expect(await read(id)).toMatchObject({ status: "InProgress", completedCount: 0 });
    expect(await refusal("GET", `${PATH}/${id}/wallets`)).toEqual([409, "WalletJobUnfinished"]);
    expect(await read(next)).toMatchObject({ status: "Pending" });
  });

  it("INV-4 makes no wallet twice when two gateways carry it on at once, one of which dies and comes back", async () => {
    const id = await ask({ count: 9 });
    const other = openDatabase({ url: world.databaseUrl, name: "gateway", announce: () => undefined });
    let steps = 0;
    const dying: BulkCarryingOn = {
      ...partsOf(other),
      authority: (request) => {
        steps += 1;
        if (steps % 3 === 0) throw new Error("the gateway dies in the middle of a step");
        return partsOf().authority(request);
      },
    };
    await expect
      .poll(
        async () => {
          await Promise.all([carryOnBulkJobs(partsOf()), carryOnBulkJobs(dying), carryOnBulkJobs(dying)]);
          return isOver(await read(id));
        },
        { timeout: 30_000 },
      )
      .toBe(true);
    await other.close();
    expect(await read(id)).toMatchObject({ status: "Completed", completedCount: 9 });
    const { items } = await walletsOf(id);
    expect(items.map(({ name }) => name).sort()).toEqual(
      Array.from({ length: 9 }, (_, at) => `Customer-${at + 1}`),
    );
    expect(
      await countOf(
        "wallets where org_id = $1 and name like 'Customer-%' and id in (select wallet_id from bulk_wallets)",
        [world.caller.orgId],
      ),
    ).toBe(9);
    // a step that was not committed left neither wallet nor key
    expect(
      await countOf(
        "keys k where not exists (select from wallets w where w.key_id = k.id) and k.org_id = $1",
        [world.caller.orgId],
      ),
    ).toBe(0);
  });

  it("goes on after a restart from the wallets that it had begun", async () => {
    world.script(undefined);
    const id = await ask({ count: 6 });
    const first = startBulkWallets(partsOf());
    await expect.poll(() => inFlight(id)).toBe(WALLETS_IN_FLIGHT);
    await first.stop();
    // keys go on being made while no gateway runs
    await world.database.execute(
      "update due_requests set attempts = 0 where id in (select id from keys where status = 'Creating')",
    );
    world.script(ACTIVATED);
    await expect.poll(() => inFlight(id), { timeout: 10_000 }).toBe(0);
    const second = startBulkWallets(partsOf());
    await expect.poll(async () => (await read(id)).status, { timeout: 20_000 }).toBe("Completed");
    await second.stop();
    expect((await walletsOf(id)).items).toHaveLength(6);
  });

  it("tries again after a pause what the signers did not make, and says why meanwhile", async () => {
    world.script(AWAY);
    const id = await ask();
    const waiting = await carriedOn(id, ({ nextRetryDate }) => nextRetryDate !== undefined);
    expect(waiting).toMatchObject({
      status: "InProgress",
      reason: "3 of 3 wallets were not made: signer-2 is away",
      nextRetryAttempt: 1,
    });
    // it holds up no other job meanwhile
    world.script(ACTIVATED);
    const other = await ask({ count: 1 });
    await carriedOn(other, isOver);
    expect(await read(id)).toEqual(waiting);
    clock = 61_000;
    const done = await carriedOn(id, isOver);
    expect(done).toMatchObject({ status: "Completed", completedCount: 3 });
    expect(done.reason).toBeUndefined();
    expect((await walletsOf(id)).items.map(({ name }) => name).sort()).toEqual([
      "Customer-1",
      "Customer-2",
      "Customer-3",
    ]);
  });

  it("ends with what it has when the signers never make the rest", async () => {
    const id = await ask();
    await world.database.execute("update bulk_wallet_jobs set total_count = 1 where id = $1", [id]);
    await carryOnBulkJobs(partsOf());
    await expect.poll(() => inFlight(id)).toBe(0);
    world.script(AWAY);
    await world.database.execute("update bulk_wallet_jobs set total_count = 3 where id = $1", [id]);
    await expect
      .poll(
        async () => {
          await carryOnBulkJobs(partsOf());
          if ((await read(id)).nextRetryDate !== undefined) clock += 3_600_001;
          return (await read(id)).status;
        },
        { timeout: 20_000 },
      )
      .toBe("PartiallyCompleted");
    expect(await read(id)).toMatchObject({ completedCount: 1, reason: WORDS });
    expect((await walletsOf(id)).items).toHaveLength(1);
  });

  it("INV-8 ends when its requester loses the right, and keeps what is made", async () => {
    const maker = await personWith(world, ["Wallets:Create"]);
    const id = await ask({ count: 9 }, maker.call);
    await carriedOn(id, ({ completedCount }) => completedCount > 0);
    await world.database.execute("update users set is_active = false where id = $1", [maker.userId]);
    const done = await carriedOn(id, isOver);
    expect(done.status).toBe("PartiallyCompleted");
    expect(done.reason).toContain(`${maker.userId}, who asked for it, is active no more`);
    expect((await walletsOf(id)).items).toHaveLength(done.completedCount);
  });

  it("is listed with the others, newest first, also by status", async () => {
    const first = await ask({ count: 1 });
    await carriedOn(first, isOver);
    const second = await ask();
    const list = async (query: string) =>
      z
        .object({ items: z.array(jobSchema), nextPageToken: z.string().optional() })
        .parse((await world.call("GET", `${PATH}${query}`)).body);
    expect((await list("")).items).toEqual([await read(second), await read(first)]);
    expect((await list("?status=Completed")).items.map(({ id }) => id)).toEqual([first]);
    const page = await list("?limit=1");
    expect((await list(`?paginationToken=${page.nextPageToken}`)).items.map(({ id }) => id)).toEqual([first]);
    for (const query of ["?status=Done", "?limit=0"]) {
      expect(await refusal("GET", `${PATH}${query}`)).toEqual([400, "InvalidParameter"]);
    }
    expect(await refusal("GET", `${PATH}/wa-00000-00000-0000000000000000`)).toEqual([
      400,
      "InvalidParameter",
    ]);
  });

  it("that cannot be read holds up no other of its organisation", async () => {
    const [spoilt, sound] = [await ask({ count: 1 }), await ask({ count: 1 })];
    await world.database.execute("update bulk_wallet_jobs set tags = '7' where id = $1", [spoilt]);
    await carriedOn(sound, isOver);
    expect(await read(sound)).toMatchObject({ status: "Completed" });
    await world.database.execute("update bulk_wallet_jobs set tags = '[]' where id = $1", [spoilt]);
    await carriedOn(spoilt, isOver);
  });

  it("INV-11 of another organisation is answered like one that does not exist", async () => {
    const id = await ask({ count: 1 });
    await carriedOn(id, isOver);
    const stranger: Person["call"] = (method, path, body) =>
      world.call(method, path, body, { authorization: `Bearer ${world.strangersToken}` });
    for (const path of [`${PATH}/${id}`, `${PATH}/${id}/wallets`]) {
      const unknown = path.replace(id, "bwj-00000-00000-0000000000000000");
      const [theirs, none] = [await stranger("GET", path), await stranger("GET", unknown)];
      expect([theirs.status, none.status]).toEqual([404, 404]);
      expect(errorOf(theirs.body).message).toBe(errorOf(none.body).message);
      expect(errorOf(theirs.body).details.code).toBe("WalletJobNotFound");
    }
    expect((await stranger("GET", PATH)).body).toEqual({ items: [] });
  });

  it("INV-11 of an end user makes wallets of its own, and shows it no others", async () => {
    const shopper = await personWith(world, ["Wallets:Create", "Wallets:Read"]);
    await world.database.execute("update users set kind = 'EndUser' where id = $1", [shopper.userId]);
    const [theirs, ours] = [await ask({ count: 1 }, shopper.call), await ask({ count: 1 })];
    expect(await refusal("POST", PATH, BODY, shopper.call)).toEqual([422, "TooManyWalletJobs"]);
    await carriedOn(theirs, isOver);
    await carriedOn(ours, isOver);
    const list = await shopper.call("GET", PATH);
    expect(
      z
        .object({ items: z.array(jobSchema) })
        .parse(list.body)
        .items.map(({ id }) => id),
    ).toEqual([theirs]);
    expect(await refusal("GET", `${PATH}/${ours}`, undefined, shopper.call)).toEqual([
      404,
      "WalletJobNotFound",
    ]);
    const { items } = walletsSchema.parse((await shopper.call("GET", `${PATH}/${theirs}/wallets`)).body);
    expect(items).toMatchObject([{ custodial: false, signingKey: { delegatedTo: shopper.userId } }]);
  });
});

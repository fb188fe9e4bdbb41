import { type ChainNode, FAMILIES, type FeeBumps } from "@conclave/chains";
import { buildTransaction } from "@conclave/chains/evm";
import { FEES, SEPOLIA } from "@conclave/chains/testing";
import { bulkJobIdSchema, makePrices, networkSchema, ok, problem } from "@conclave/custody";
import { attendAttestedKeys, freshId, makeLogger, makeMetrics } from "@conclave/platform";
import { markRows, READABLE_TABLES, type Sweep, sweepsThatStop } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { makeAuthority, makeRenewal } from "../authority.ts";
import { carryOnBulkJobs } from "../bulk-wallets/carry-on.ts";
import { answerAll } from "../chain-request/death-statements.ts";
import { type CoinChain, gatherOn } from "../coin-gathering/gather-coins.ts";
import { bumpEvents } from "../fee-bump/bump-events.ts";
import { type BumpChain, bumpNetwork } from "../fee-bump/fee-bumps.ts";
import { renewAll } from "../renew-authorisations.ts";
import { broadcastRequest } from "../testing/broadcast-request.ts";
import { readingOf } from "../testing/reading.ts";
import { CLUSTER, startWorld, type World } from "../testing/world.ts";
import { watchedDatabase } from "./watched-database.ts";

const NETWORK = networkSchema.parse(SEPOLIA.network);
const TO = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const LONG_AGO = "2026-01-01T00:00:00Z";
const RULE: FeeBumps = { afterBlocks: 5, most: 3, cap: "1" };
const idSchema = z.object({ id: z.string() });
const madeSchema = z.looseObject({ id: z.string() });

/** The resources of an organisation that the gateway processes without a caller. */
interface Things {
  readonly orgId: string;
  readonly wallet: string;
  /** authorised and not signed */
  readonly transfer: string;
  /** broadcast with a low fee */
  readonly waiting: string;
  readonly signature: string;
  /** a key that is being made */
  readonly key: string;
}

/** A sweep before it is known which tables it reads, which its run shows. */
type Unseen = Omit<Sweep, "tables">;

let world: World;
let watched: ReturnType<typeof watchedDatabase>;
let spoilt: Things;
let sound: Things;
let sweeps: readonly Sweep[];

const both = () => [spoilt, sound];
const execute = (text: string, values: readonly unknown[] = []) => world.database.execute(text, values);
const exists = async (text: string, values: readonly unknown[]): Promise<boolean> =>
  (await world.database.execute(text, values)) > 0;

/** Makes resources for the organisation of a token. */
const makeThings = async (orgId: string, token: string): Promise<Things> => {
  const post = (path: string, body: unknown) =>
    world.call("POST", path, body, { authorization: `Bearer ${token}` });
  const made = async (path: string, body: unknown): Promise<string> => {
    const { status, body: answered } = await post(path, body);
    if (status !== 200) throw new Error(`${path} answers ${status} ${JSON.stringify(answered)}`);
    return madeSchema.parse(answered).id;
  };
  const wallet = await made("/wallets", { network: SEPOLIA.network });
  world.script(undefined);
  const payment = { kind: "Native", to: TO, amount: "5" };
  const transfer = await made(`/wallets/${wallet}/transfers`, payment);
  const waiting = await made(`/wallets/${wallet}/transfers`, payment);
  const call = { to: `0x${TO.slice(2)}`, value: 5n, data: "0x" } as const;
  const fees = { kind: "Eip1559", ...FEES } as const;
  const unsigned = buildTransaction({ chainId: SEPOLIA.chainId, nonce: 0n, fees, gasLimit: 21_000n, call });
  await broadcastRequest(world, waiting, unsigned);
  const signature = await made(`/wallets/${wallet}/signatures`, { kind: "Hash", hash: "ab".repeat(32) });
  await post("/keys", { scheme: "ECDSA", curve: "secp256k1" });
  const [key] = await world.database.rows(
    idSchema,
    "select id from keys where org_id = $1 and status = 'Creating'",
    [orgId],
  );
  return { orgId, wallet, transfer, waiting, signature, key: key?.id ?? expect.fail("no key is being made") };
};

const now = () => new Date();
const logger = makeLogger({ name: "gateway", level: "silent" });
const partsOf = () => {
  const authority = makeAuthority(world.authoritySigningKey, CLUSTER, now);
  const database = watched.database;
  const chains = new Map([[SEPOLIA.network, world.chain]]);
  const prices = makePrices([], FAMILIES);
  return { database, authority, now, logger, families: FAMILIES, chains, prices, world: processWorld };
};

const AUTHORISED = ["chain_requests", "signatures", "keys"] as const;
const renewal: Unseen = {
  name: "authorisations are signed anew",
  prepare: async () => {
    for (const { transfer, signature, key } of both()) {
      await execute(
        `update chain_requests set status = 'Pending', date_authorised = $2, date_aborted = null, date_settled = null
          where id = $1`,
        [transfer, LONG_AGO],
      );
      await execute("update signatures set status = 'Executing', date_authorised = $2 where id = $1", [
        signature,
        LONG_AGO,
      ]);
      await execute("update keys set status = 'Creating', date_authorised = $2 where id = $1", [
        key,
        LONG_AGO,
      ]);
    }
  },
  run: async () => {
    const { authority } = partsOf();
    await renewAll({ ...partsOf(), renewal: makeRenewal(world.authoritySigningKey, CLUSTER, authority) });
  },
  isDone: async () => {
    const ids = [sound.transfer, sound.signature, sound.key];
    for (const table of AUTHORISED) {
      const late = `select from ${table} where id = any($1) and date_authorised > $2`;
      if (!(await exists(late, [ids, LONG_AGO]))) return false;
    }
    return true;
  },
};

let height = 1_000n;
const bumps: Unseen = {
  name: "fees of what waits are raised",
  prepare: async () => {
    await execute("delete from fee_waits");
    for (const { waiting } of both()) {
      await execute("insert into fee_waits (request_id, network, since_height) values ($1, $2, 100)", [
        waiting,
        NETWORK,
      ]);
    }
  },
  run: async () => {
    height += 1n;
    const chain: BumpChain = {
      ...world.chain,
      network: { ...world.chain.network, feeBumps: RULE },
      head: async () => ok({ height, hash: "h", confirmedHeight: height, finalHeight: height }),
      sight: async () => ok({ kind: "waiting" }),
    };
    const chains = new Map([[SEPOLIA.network, chain]]);
    await bumpNetwork(
      { ...partsOf(), chains, reading: readingOf(chains), events: bumpEvents(makeMetrics("gateway"), []) },
      chain,
      RULE,
    );
  },
  // its cap is too low, as the request's reason says
  isDone: () =>
    exists("select from fee_waits where request_id = $1 and looked_height = $2 and told is not null", [
      sound.waiting,
      height.toString(),
    ]),
};

const gathering: Unseen = {
  name: "coins are gathered",
  prepare: async () => {
    await execute("delete from coin_looks");
    for (const { orgId, wallet } of both()) {
      const requester = JSON.stringify({ userId: world.caller.userId });
      await execute("update organisations set gathers_coins_for = $2 where id = $1", [orgId, requester]);
      await execute("insert into coin_looks (wallet_id, next_look, coins) values ($1, $2, 300)", [
        wallet,
        LONG_AGO,
      ]);
    }
  },
  run: async () => {
    const asked: NonNullable<ChainNode["gathering"]> = {
      isCheap: async () => ok(true),
      coinsOf: async () => ok({ coins: 1, body: { kind: "Consolidate" } }),
    };
    const chain: CoinChain = { ...world.chain, gathering: asked };
    // one wallet in each round
    for (let rounds = 0; rounds < 3; rounds += 1) {
      await gatherOn({ ...partsOf(), chains: new Map([[SEPOLIA.network, chain]]) }, chain);
    }
  },
  isDone: () => exists("select from coin_looks where wallet_id = $1 and coins = 1", [sound.wallet]),
};

const deaths: Unseen = {
  name: "questions after dead transactions are answered",
  prepare: async () => {
    await execute("delete from death_statements");
    for (const { waiting } of both()) {
      const asked =
        "insert into death_statements (request_id, transactions, date_asked) values ($1, 1, now())";
      await execute(asked, [waiting]);
    }
  },
  run: async () => {
    // the first failure is thrown once all questions have been looked at
    await answerAll({ ...partsOf(), chains: new Map() }).catch(() => 0);
  },
  // EVM requests are not built again, so the question is dropped
  isDone: async () => !(await exists("select from death_statements where request_id = $1", [sound.waiting])),
};

const activation: Unseen = {
  name: "keys that signers have made are activated",
  prepare: async () => {
    await execute("delete from attested_keys");
    for (const { key } of both()) {
      await execute("update keys set status = 'Creating', problem = null where id = $1", [key]);
      await execute(
        `insert into attested_keys (key_id, public_key, signatures) values ($1, $2, array['\\x00'::bytea])`,
        [key, "02".repeat(33)],
      );
    }
  },
  run: async () => {
    const over = gate();
    const work = attendAttestedKeys({
      world: processWorld,
      database: watched.database,
      judge: () => ({ kind: "GenerationFailed", problem: problem("KeyGenerationFailed", {}) }),
      settled: (keyId) => {
        if (keyId === sound.key) over.open();
      },
      // the first failure is reported once all have been checked
      onFailure: over.open,
    });
    await over.passed;
    await work.stop();
  },
  isDone: () => exists("select from keys where id = $1 and status = 'Failed'", [sound.key]),
};

const bulkWallets: Unseen = {
  name: "jobs that make many wallets are carried on",
  prepare: async () => {
    await execute("delete from bulk_wallets");
    await execute("delete from bulk_wallet_jobs");
    for (const { orgId } of both()) {
      // only the sound one begins a wallet: the rows of the other are spoilt one by one, and must not become more
      await execute(
        `insert into bulk_wallet_jobs (id, org_id, status, network, name_prefix, tags, requester, total_count,
           completed_count, retries, date_created, date_updated)
         select $1, $2, 'InProgress', 'KeyECDSA', 'many', '[]', jsonb_build_object('userId', id), $4, 0, 0, $3, $3
           from users where org_id = $2 order by username limit 1`,
        [freshId(bulkJobIdSchema, "bwj"), orgId, LONG_AGO, orgId === sound.orgId ? 2 : 1],
      );
    }
    for (const { orgId, wallet } of both()) {
      await execute(
        "insert into bulk_wallets (job_id, number, wallet_id) select id, 1, $2 from bulk_wallet_jobs where org_id = $1",
        [orgId, wallet],
      );
    }
  },
  run: async () => {
    await carryOnBulkJobs({ ...partsOf(), threshold: 3 });
  },
  isDone: () =>
    exists(
      "select from bulk_wallets where job_id in (select id from bulk_wallet_jobs where org_id = $1) and number = 2",
      [sound.orgId],
    ),
};

/** A gate that is passed once it is opened. */
const gate = () => {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
};

/** Whether a statement uses a table; a column may have the table's name. */
const isOf = (table: string, statement: string): boolean =>
  new RegExp(`\\b(?:from|join|into|update)\\s+${table}\\b`).test(statement);

beforeAll(async () => {
  world = await startWorld({ settlementWaitMs: 300 });
  watched = watchedDatabase(world.database, () => true);
  await markRows(world.database);
  const [stranger] = await world.database.rows(idSchema, "select id from organisations where id <> $1", [
    world.caller.orgId,
  ]);
  const script = { kind: "Activated", publicKey: `02${"ab".repeat(32)}`, date: LONG_AGO } as const;
  spoilt = await makeThings(world.caller.orgId, world.token);
  world.script(script);
  sound = await makeThings(stranger?.id ?? expect.fail("nobody else is there"), world.strangersToken);
  const all: Sweep[] = [];
  for (const sweep of [renewal, bumps, gathering, deaths, activation, bulkWallets]) {
    await sweep.prepare();
    const [, { statements }] = await watched.during(sweep.run);
    expect([sweep.name, await sweep.isDone()]).toEqual([sweep.name, true]);
    const tables = READABLE_TABLES.filter((table) => statements.some((each) => isOf(table, each)));
    all.push({ ...sweep, tables });
  }
  sweeps = all;
}, 60_000);
afterAll(() => world.stop());

it("INV-5 each looks at records of these tables", () => {
  const people = ["access_tokens", "applications", "permission_assignments", "permissions", "users"];
  const tables = Object.fromEntries(sweeps.map((sweep) => [sweep.name, sweep.tables]));
  expect(tables).toEqual({
    [renewal.name]: expect.arrayContaining([...people, "chain_requests", "keys", "signatures"]),
    [bumps.name]: expect.arrayContaining([...people, "chain_requests", "keys", "wallets"]),
    [gathering.name]: expect.arrayContaining([
      "chain_requests",
      "deposits",
      "keys",
      "organisations",
      "wallets",
    ]),
    [deaths.name]: expect.arrayContaining(["chain_requests", "keys", "wallets"]),
    [activation.name]: expect.arrayContaining(["keys", "wallets"]),
    [bulkWallets.name]: expect.arrayContaining([...people, "bulk_wallet_jobs", "bulk_wallets", "wallets"]),
  });
});

it("INV-5 the gateway's own work goes on for others while a record of one organisation cannot be read", async () => {
  expect(await sweepsThatStop(world.databaseUrl, sweeps, spoilt.orgId)).toEqual([]);
}, 300_000);

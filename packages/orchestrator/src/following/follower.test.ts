import { isDeepStrictEqual } from "node:util";
import { FAMILIES } from "@conclave/chains";
import type { EvmNetwork } from "@conclave/chains/evm";
import { type ChainNode, NODES } from "@conclave/chains/node";
import { RECIPIENT } from "@conclave/chains/testing";
import {
  type ChainRequestId,
  type ChainWallet,
  fail,
  type OrganisationId,
  ok,
  organisationIdSchema,
  type Transfer,
  type TransferId,
} from "@conclave/custody";
import {
  followedNetworks,
  freshId,
  insertOrganisation,
  listEvents,
  lockChainRequest,
  makeLogger,
  readChainRequest,
  readTransfer,
} from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { createTestClient, http } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ServedChain } from "../chain-requests/served-chain.ts";
import { carryOutOn } from "../testing/carry-out.ts";
import { followRound } from "../testing/follow-once.ts";
import { startWorld, type World } from "../testing/world.ts";
import { type Follower, makeFollower } from "./follower.ts";
import { lookApart, lookAtBroadcasted } from "./look.ts";
import { LOOKS_A_ROUND } from "./turns.ts";

let world: World;
let wallet: ChainWallet;
let chain: ServedChain;
let nowMs: number;
/** calls to the node since the list was last emptied */
let calls: string[];

const counting = (node: ChainNode): ChainNode => ({
  ...node,
  head: () => {
    calls.push("head");
    return node.head();
  },
  block: (height, ours) => {
    calls.push("block");
    return node.block(height, ours);
  },
  sight: (txHash, expected) => {
    calls.push("sight");
    return node.sight(txHash, expected);
  },
  broadcast: (signed) => {
    calls.push("broadcast");
    return node.broadcast(signed);
  },
});

beforeEach(async () => {
  world = await startWorld();
  await world.anvil.control.setAutomine(false);
  wallet = await world.wallet();
  nowMs = 0;
  calls = [];
  said.length = 0;
  chain = { family: FAMILIES.familyOf(wallet.network), node: counting(NODES.connect(world.network)) };
});
afterEach(() => world.stop());

const said: string[] = [];
/** Number of warnings about a block or head that is not read. */
const warnings = () => said.filter((line) => line.includes("is not read")).length;
const logger = makeLogger({
  name: "test",
  level: "warn",
  destination: { write: (line) => void said.push(line) },
});
const followerOf = (node: ChainNode = chain.node): Follower =>
  makeFollower({
    database: world.orchestratorDatabase,
    chain: { ...chain, node },
    network: wallet.network,
    isUsed: async () => (await followedNetworks(world.orchestratorDatabase, [wallet.network])).length > 0,
    logger,
    world: { ...processWorld, monotonicMs: () => nowMs },
  });
const carryOut = (id: ChainRequestId) =>
  carryOutOn(world, { network: wallet.network, chain: chain, logger }, id);
const broadcasted = async (): Promise<TransferId> => {
  const { id } = await world.transfer(wallet);
  await carryOut(id);
  calls = [];
  return id;
};
/** A broadcast transfer, and its replacement with the same nonce and higher fees, also broadcast. */
const replaced = async () => {
  const first = await broadcasted();
  return { first, second: await replace(first) };
};
const replace = async (id: ChainRequestId): Promise<ChainRequestId> => {
  const request = await readChainRequest(world.database, id);
  const { id: by } = await world.transaction(
    wallet,
    { kind: "Call", to: RECIPIENT, value: "1", data: "" },
    request,
  );
  await carryOut(by);
  return by;
};
/** The status of a request, and the database transaction that wrote it. */
const writtenBy = async (id: ChainRequestId) => {
  const rows = await world.database.rows(
    z.object({ status: z.string(), xmin: z.string() }),
    "select status, xmin::text as xmin from chain_requests where id = $1",
    [id],
  );
  return rows[0] ?? expect.fail(`${id} is gone`);
};
const refusing: ChainNode["broadcast"] = async () => ({ kind: "refused", reason: "it has its own words" });
const read = async (id: TransferId): Promise<Transfer> =>
  (await readTransfer(world.database, id)) ?? expect.fail(`${id} is gone`);
const statusOf = async (id: TransferId) => (await read(id)).status;
const mine = (blocks = 1) => world.anvil.control.mine({ blocks });
const round = async (follower: Follower): Promise<readonly string[]> => {
  calls = [];
  nowMs += 10_000;
  await followRound(follower);
  return calls.toSorted();
};
/** A gate that callers wait for until it is opened. */
const gate = () => {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
};
/**
 * Stores copies of a request under other ids and hashes, as if this many had been broadcast. Without a time limit, for
 * a busy server.
 */
const copies = (id: TransferId, count: number, orgId: OrganisationId = wallet.orgId) =>
  world.database.session((session) =>
    session.execute(
      `insert into chain_requests
       select (jsonb_populate_record(r, jsonb_build_object('id', left(r.id, length(r.id) - 5) || lpad(n::text, 5, '0'),
         'tx_hash', '0x' || lpad(n::text, 64, '0'), 'sequence', null, 'external_id', null, 'org_id', $3::text,
         'date_requested', r.date_requested - interval '1 minute'))).*
       from chain_requests r, generate_series(1, $2::int) n where r.id = $1`,
      [id, count, orgId],
    ),
  );
const isCopy = (txHash: string): boolean => txHash.startsWith("0x000000");
const anotherOrganisation = async (): Promise<OrganisationId> => {
  const id = freshId(organisationIdSchema, "or");
  await insertOrganisation(world.database, { id, name: "Slow", dateCreated: new Date().toISOString() });
  return id;
};
/** The chain's node, but the copies appear in the block of our own transaction, and `sightCopy` answers for them. */
const landing = (count: number, sightCopy: ChainNode["sight"]): ChainNode => ({
  ...chain.node,
  block: async (height, ours) => {
    const block = await chain.node.block(height, ours);
    if (!block.ok || block.value === undefined || block.value.holds.length === 0) return block;
    const copied = Array.from({ length: count }, (_, n) => `0x${String(n + 1).padStart(64, "0")}`);
    return ok({ ...block.value, holds: [...block.value.holds, ...copied] });
  },
  sight: (txHash, expected) =>
    isCopy(txHash) ? sightCopy(txHash, expected) : chain.node.sight(txHash, expected),
});

describe("following a chain by its blocks", () => {
  it("asks nothing before a wallet could send, and nothing while nothing is followed", async () => {
    const follower = followerOf();
    expect(await round(follower)).toContain("head");
    expect(await round(follower)).toEqual([]);
    await world.database.execute("update wallets set status = 'Creating', address = null", []);
    expect(await round(followerOf())).toEqual([]);
  });

  it("asks for a transaction by its hash once its block is confirmed, and not before", async () => {
    const follower = followerOf();
    const id = await broadcasted();
    await mine();
    await round(follower);
    expect(await statusOf(id)).toBe("Confirmed");
    const other = await broadcasted();
    const deepNetwork: EvmNetwork = { ...world.network, confirmations: 3 };
    const deep = followerOf(counting(NODES.connect(deepNetwork)));
    await round(deep);
    await mine();
    expect(await round(deep)).toEqual(["block", "head"]);
    await mine();
    expect(await round(deep)).toEqual(["block", "head"]);
    expect(await statusOf(other)).toBe("Broadcasted");
    await mine();
    expect(await round(deep)).toEqual(["block", "head", "sight"]);
    expect(await statusOf(other)).toBe("Confirmed");
  });

  it("asks no more of a node for ten thousand that wait than for a few: what a block costs is one look for all", async () => {
    const id = await broadcasted();
    const node: ChainNode = {
      ...chain.node,
      sight: async () => {
        calls.push("sight");
        return ok({ kind: "waiting" });
      },
    };
    const follower = followerOf(node);
    await copies(id, 10_000);
    await round(follower);
    await mine();
    const cost = await round(follower);
    expect(cost.filter((call) => call !== "sight")).toEqual(["block", "head"]);
    // one of them has landed
    expect(cost.filter((call) => call === "sight")).toHaveLength(1 + LOOKS_A_ROUND);
  });

  it("INV-6 the request that held the same place fails in the transaction in which the other one is confirmed", async () => {
    const { first, second } = await replaced();
    await mine(3);
    await round(followerOf());
    const one = await writtenBy(second);
    expect(one.status).toBe("Confirmed");
    expect(await writtenBy(first)).toEqual({ status: "Failed", xmin: one.xmin });
    expect((await read(first)).reason).toContain(`${second} has landed in its place`);
  });

  it("INV-6 so does what it took the place of before that, and none that may still land", async () => {
    const { first, second } = await replaced();
    const third = await replace(second);
    const node: ChainNode = {
      ...chain.node,
      fateOf: async (sender, candidates) =>
        isDeepStrictEqual(
          candidates[0]?.signed,
          (await readChainRequest(world.database, second))?.signedTransaction,
        )
          ? ok({ kind: "open" })
          : chain.node.fateOf(sender, candidates),
    };
    await mine(3);
    await round(followerOf(node));
    const { xmin } = await writtenBy(third);
    expect(await writtenBy(first)).toEqual({ status: "Failed", xmin });
    expect((await writtenBy(second)).status).toBe("Broadcasted");
  });

  it("INV-6 a request that lost its place waits for the one that has landed to be settled, whichever is looked at first", async () => {
    const { first, second } = await replaced();
    await mine(3);
    const work = {
      database: world.orchestratorDatabase,
      chain,
      logger,
      world: processWorld,
      logged: new Map(),
      fatesAsked: new Map(),
      handedOver: new Map(),
    };
    await lookApart(work, first, lookAtBroadcasted);
    expect((await read(first)).status).toBe("Broadcasted");
    await lookApart(work, second, lookAtBroadcasted);
    expect((await writtenBy(second)).status).toBe("Confirmed");
    expect((await writtenBy(first)).status).toBe("Failed");
  });

  it("INV-4 leaves alone what moved on while the node was asked whether it can still land", async () => {
    const { first, second } = await replaced();
    const node: ChainNode = {
      ...chain.node,
      fateOf: async (sender, candidates) => {
        const fate = await chain.node.fateOf(sender, candidates);
        await world.database.execute(
          "update chain_requests set tx_hash = '0x' || md5(tx_hash) || md5(tx_hash) where id = $1",
          [first],
        );
        return fate;
      },
    };
    const follower = followerOf(node);
    await round(follower);
    await mine(3);
    await followRound(follower); // at the same time by its clock, so no request is due
    expect((await writtenBy(second)).status).toBe("Confirmed");
    expect((await writtenBy(first)).status).toBe("Broadcasted");
  });

  it("finds by its hash what it cannot find by blocks: the node shows none", async () => {
    const id = await broadcasted();
    await mine();
    await round(followerOf({ ...chain.node, block: async () => fail("ServiceUnavailable") }));
    expect(await statusOf(id)).toBe("Confirmed");
  });

  it("finds by its hash what it cannot find by blocks: the node does not tell its head", async () => {
    const id = await broadcasted();
    await mine();
    const follower = followerOf({ ...chain.node, head: async () => fail("ServiceUnavailable") });
    await round(follower);
    expect(await statusOf(id)).toBe("Confirmed");
  });

  it("tells once a minute, and not once a block, that the node shows no blocks, or no head", async () => {
    await broadcasted();
    let isAway = false;
    const follower = followerOf({
      ...chain.node,
      head: async () => (isAway ? fail("ServiceUnavailable") : chain.node.head()),
      block: async () => fail("ServiceUnavailable"),
      sight: async () => ok({ kind: "waiting" }),
    });
    for (let count = 0; count < 5; count += 1) {
      await mine(10);
      await round(follower);
      isAway = !isAway;
    }
    expect(warnings()).toBe(1);
    nowMs += 60_000;
    await round(follower);
    expect(warnings()).toBe(2);
  });

  it("leaves rows unlocked while the node hangs, so that others go on", async () => {
    const id = await broadcasted();
    const asked = gate();
    const answer = gate();
    const hanging: ChainNode = {
      ...chain.node,
      sight: async () => {
        asked.open();
        await answer.passed;
        return ok({ kind: "waiting" });
      },
    };
    const under = followRound(followerOf(hanging));
    await asked.passed;
    const found = await world.database.transaction(async (connection) => {
      await connection.execute("set local lock_timeout = '1s'", []);
      return lockChainRequest(connection, id);
    });
    expect(found?.status).toBe("Broadcasted");
    answer.open();
    await under;
  });

  it("INV-4 records nothing of a request that moved on while the node was asked", async () => {
    const id = await broadcasted();
    await mine();
    const { node } = chain;
    const late = followerOf({
      ...node,
      sight: async (txHash) => {
        const seen = await node.sight(txHash);
        await followRound(followerOf()); // another orchestrator settles it meanwhile
        return seen;
      },
    });
    await followRound(late);
    const kinds = (await listEvents(world.database, id)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "wallet.transfer.confirmed")).toHaveLength(1);
  });
});

describe("INV-5 an organisation beside another one that has landed, too", () => {
  it("is confirmed while no look of the other one ends", async () => {
    const id = await broadcasted();
    await copies(id, 64, await anotherOrganisation());
    await mine();
    const answer = gate();
    const follower = followerOf(
      landing(64, async () => {
        await answer.passed;
        return fail("ServiceUnavailable");
      }),
    );
    const under = follower.round();
    await expect.poll(() => statusOf(id)).toBe("Confirmed");
    answer.open();
    await under;
    await follower.looked();
  });

  it("is confirmed in the next round while no look of the other one ends, and each of those goes on", async () => {
    const first = await broadcasted();
    await copies(first, 64, await anotherOrganisation());
    await mine();
    const answer = gate();
    const asked: string[] = [];
    const follower = followerOf(
      landing(64, async (txHash) => {
        asked.push(txHash);
        await answer.passed;
        return ok({ kind: "waiting" });
      }),
    );
    await follower.round();
    await expect.poll(() => statusOf(first)).toBe("Confirmed");
    const id = await broadcasted();
    await mine();
    await follower.round();
    await expect.poll(() => statusOf(id)).toBe("Confirmed");
    answer.open();
    await follower.looked();
    expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted());
    expect(asked).toHaveLength(64);
  });

  it("leaves one alone for longer and longer of which looks change nothing, while blocks tell that it has landed", async () => {
    const id = await broadcasted();
    await copies(id, 1);
    await mine();
    const askedMs: number[] = [];
    const follower = followerOf(
      landing(1, async () => {
        askedMs.push(nowMs);
        return fail("ServiceUnavailable");
      }),
    );
    for (nowMs = 0; nowMs <= 100_000; nowMs += 500) await followRound(follower);
    expect(askedMs).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000]);
  });
});

describe("a confirmed request", () => {
  it("is watched by blocks until its own is final, and asked for by nobody as long as they link", async () => {
    const follower = followerOf();
    const id = await broadcasted();
    await mine();
    await round(follower);
    await mine();
    expect(await round(follower)).toEqual(["block", "head"]);
    expect(await statusOf(id)).toBe("Confirmed");
  });

  it("INV-4 is taken back when its block is undone, however long ago it was settled, and lands again with the same bytes", async () => {
    const follower = followerOf();
    const id = await broadcasted();
    await mine();
    await round(follower);
    const before = await read(id);
    await world.database.execute(
      "update chain_requests set date_settled = now() - interval '16 minutes'",
      [],
    );
    await world.anvil.reorganise(1);
    await round(follower);
    expect(await statusOf(id)).toBe("Broadcasted");
    await round(follower);
    await mine();
    await round(follower);
    const after = await read(id);
    expect(after).toMatchObject({ status: "Confirmed", txHash: before.txHash });
    expect(after.blockHash).not.toBe(before.blockHash);
  });

  it("one that can never land stays failed, whatever a node that lags behind has in its pool", async () => {
    const follower = followerOf();
    const { first } = await replaced();
    await mine(3);
    await round(follower);
    await round(follower);
    expect(await statusOf(first)).toBe("Failed");
    await round(followerOf({ ...chain.node, sight: async () => ok({ kind: "waiting" }) }));
    expect(await statusOf(first)).toBe("Failed");
  });

  it("fails once it can never land, also where the node has words of its own for not taking it", async () => {
    const { first } = await replaced();
    const follower = followerOf({ ...chain.node, broadcast: refusing });
    await round(follower);
    expect(await statusOf(first)).toBe("Broadcasted");
    await mine(3);
    await round(follower);
    await round(follower);
    expect(await statusOf(first)).toBe("Failed");
  });

  it("goes out again and again where the node does not take it, and this is logged once", async () => {
    const { txHash } = await read(await broadcasted());
    await world.anvil.control.dropTransaction({ hash: `0x${txHash?.slice(2)}` });
    const follower = followerOf(counting({ ...chain.node, broadcast: refusing }));
    for (let count = 0; count < 3; count += 1) expect(await round(follower)).toContain("broadcast");
    expect(said.filter((line) => line.includes("sent again"))).toHaveLength(1);
  });

  it("INV-4 goes out again, the same bytes, to a node that came back with a state from before it: no hole is left", async () => {
    const follower = followerOf();
    const control = createTestClient({ mode: "anvil", transport: http(world.anvil.rpcUrl) });
    const state = await control.snapshot();
    const first = await broadcasted();
    await mine();
    await round(follower);
    await control.revert({ id: state });
    // it holds the next nonce, and cannot land before the first one
    const second = await broadcasted();
    await round(follower);
    expect(await statusOf(first)).toBe("Confirmed");
    for (let block = 0; block < 2; block += 1) {
      await mine();
      await round(follower);
      await round(follower);
    }
    expect([await statusOf(first), await statusOf(second)]).toEqual(["Confirmed", "Confirmed"]);
  });

  it("INV-4 many that the node's pool lost go out again in the order of their account, and all land", async () => {
    const follower = followerOf();
    const ids: TransferId[] = [];
    for (let count = 0; count < 2 * LOOKS_A_ROUND; count += 1) ids.push(await broadcasted());
    for (const id of ids) {
      const { txHash } = await read(id);
      await world.anvil.control.dropTransaction({ hash: `0x${txHash?.slice(2)}` });
    }
    await round(follower);
    await round(follower);
    await mine();
    await round(follower);
    for (const id of ids) expect(await statusOf(id)).toBe("Confirmed");
  });
});

import { FAMILIES } from "@conclave/chains";
import { type ChainNode, NODES } from "@conclave/chains/node";
import { RECIPIENT } from "@conclave/chains/testing";
import { type ChainRequestId, type ChainWallet, organisationIdSchema } from "@conclave/custody";
import { type FollowedRequest, freshId, makeLogger, readChainRequest } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { carryOutOn } from "../testing/carry-out.ts";
import { followRound } from "../testing/follow-once.ts";
import { startWorld, type World } from "../testing/world.ts";
import { waitsAt } from "./fee-waits.ts";
import { type Follower, makeFollower } from "./follower.ts";

const FEE_BUMPS = { afterBlocks: 3, most: 2, cap: "1000000000000" };
const logger = makeLogger({ name: "test", level: "silent" });

let world: World;
let wallet: ChainWallet;
let nowMs: number;
beforeEach(async () => {
  world = await startWorld();
  await world.anvil.control.setAutomine(false);
  wallet = await world.wallet();
  nowMs = 0;
});
afterEach(() => world.stop());

const nodeOf = (feeBumps: typeof FEE_BUMPS | undefined): ChainNode =>
  NODES.connect({ ...world.network, feeBumps });
const chainOf = (node: ChainNode) => ({ family: FAMILIES.familyOf(wallet.network), node });
const followerOf = (node: ChainNode = nodeOf(FEE_BUMPS)): Follower =>
  makeFollower({
    database: world.orchestratorDatabase,
    chain: chainOf(node),
    network: wallet.network,
    isUsed: async () => true,
    logger,
    world: { ...processWorld, monotonicMs: () => nowMs },
  });
const round = async (follower: Follower): Promise<void> => {
  nowMs += 10_000;
  await followRound(follower);
};
const mine = (blocks = 1) => world.anvil.control.mine({ blocks });
const carryOut = (id: ChainRequestId) =>
  carryOutOn(world, { network: wallet.network, chain: chainOf(nodeOf(FEE_BUMPS)), logger }, id);
const broadcasted = async (): Promise<ChainRequestId> => {
  const { id } = await world.transfer(wallet);
  await carryOut(id);
  return id;
};
const noted = async () =>
  (
    await world.database.rows(
      z.object({ request_id: z.string(), since_height: z.string(), xmin: z.string() }),
      "select request_id, since_height::text, xmin::text from fee_waits order by request_id",
    )
  ).map(({ request_id, since_height, xmin }) => ({ id: request_id, since: Number(since_height), xmin }));
/** Raises the base fee, so that no block includes a transaction that bids less. */
const raiseBaseFee = (wei: bigint) => world.anvil.control.setNextBlockBaseFeePerGas({ baseFeePerGas: wei });

describe("a transaction that waits, on a network whose fees are raised", () => {
  it("is put on record once a block has passed without it, with the block since which it waits, once", async () => {
    await mine(4);
    const id = await broadcasted();
    const follower = followerOf();
    await round(follower);
    expect(await noted()).toEqual([]);
    await raiseBaseFee(10n ** 12n);
    await mine();
    await round(follower);
    const [first] = await noted();
    expect(first).toMatchObject({ id, since: 4 });
    await raiseBaseFee(10n ** 12n);
    await mine();
    await round(follower);
    await round(followerOf());
    expect(await noted()).toEqual([first]);
  });

  it("is not put on record when the next block holds it", async () => {
    const id = await broadcasted();
    const follower = followerOf();
    await round(follower);
    await mine();
    await round(follower);
    expect([(await readChainRequest(world.database, id))?.status, await noted()]).toEqual(["Confirmed", []]);
  });

  it("is not counted while no block comes, however often it is looked at", async () => {
    await broadcasted();
    const follower = followerOf();
    for (let rounds = 0; rounds < 5; rounds += 1) await round(follower);
    expect(await noted()).toEqual([]);
  });

  it("is forgotten once it has landed, by another follower too", async () => {
    const id = await broadcasted();
    const [follower, other] = [followerOf(), followerOf()];
    for (const each of [follower, other]) await round(each);
    await raiseBaseFee(10n ** 12n);
    await mine();
    for (const each of [follower, other]) await round(each);
    expect(await noted()).toMatchObject([{ id }]);
    // anvil's pool drops what a block could not include, so it is sent again
    await raiseBaseFee(1n);
    for (let blocks = 0; blocks < 3; blocks += 1) {
      await mine();
      await round(follower);
      await round(other);
    }
    expect([(await readChainRequest(world.database, id))?.status, await noted()]).toEqual(["Confirmed", []]);
  });

  it("is forgotten by a new process, where the old one died before it could", async () => {
    const id = await broadcasted();
    const follower = followerOf();
    await round(follower);
    await raiseBaseFee(10n ** 12n);
    await mine();
    await round(follower);
    await world.database.execute("update chain_requests set status = 'Confirmed' where id = $1", [id]);
    await round(followerOf());
    expect(await noted()).toEqual([]);
  });

  it("is not put on record where the network's entry does not say so", async () => {
    await broadcasted();
    const follower = followerOf(nodeOf(undefined));
    await round(follower);
    await raiseBaseFee(10n ** 12n);
    await mine();
    await round(follower);
    expect(await noted()).toEqual([]);
  });

  it("lands with what the gateway made of it: within the bound that signers hold it to", async () => {
    const first = await broadcasted();
    const request = (await readChainRequest(world.database, first)) ?? expect.fail("it is gone");
    await raiseBaseFee(10n ** 10n);
    await mine();
    const most = 21_000n * 30n * 10n ** 9n;
    const second = await world.transaction(
      wallet,
      { kind: "Call", to: RECIPIENT, value: "1", data: "", maxFee: most.toString() },
      request,
    );
    await carryOut(second.id);
    const bumped = await readChainRequest(world.database, second.id);
    expect(bumped).toMatchObject({ status: "Broadcasted", sequence: request.sequence });
    expect(21_000n * BigInt(String(bumped?.details?.["maxFeePerGas"]))).toBeLessThanOrEqual(most);
    await mine();
    await round(followerOf());
    expect(await readChainRequest(world.database, second.id)).toMatchObject({ status: "Confirmed" });
  });
});

describe("INV-8 an orchestrator's login", () => {
  it("says since when something waits, and nothing of what a gateway looked at", async () => {
    const id = await broadcasted();
    const refused = { code: "42501" };
    const change = (text: string) => world.orchestratorDatabase.execute(text, [id]);
    await expect(
      change("insert into fee_waits (request_id, network, since_height, told) values ($1, 'x', 1, 'y')"),
    ).rejects.toMatchObject(refused);
    await change("insert into fee_waits (request_id, network, since_height) values ($1, 'x', 1)");
    for (const column of ["told = 'x'", "looked_height = 1", "held_until = null", "since_height = 0"]) {
      await expect(change(`update fee_waits set ${column} where request_id = $1`)).rejects.toMatchObject(
        refused,
      );
    }
    await expect(change("update chain_requests set is_fee_bump = true where id = $1")).rejects.toMatchObject(
      refused,
    );
  });
});

describe("a transaction that is seen to wait", () => {
  const organisation = freshId(organisationIdSchema, "or");
  const request = (id: string): FollowedRequest => ({
    id: `xfr-${id}` as FollowedRequest["id"],
    orgId: organisation,
    status: "Broadcasted",
    txHash: `0x${id}`,
    blockNumber: undefined,
    blockHash: undefined,
  });
  const [a, b] = [request("a"), request("b")];
  const block = (height: bigint, holds: readonly string[]) => ({
    height,
    hash: `h${height}`,
    parentHash: `h${height - 1n}`,
    holds,
  });

  it("counts from the first height at which it was seen, and stays on record while it is in a block", () => {
    const first = waitsAt(new Map(), [a, b], [], 5n);
    expect(first.fresh).toEqual([]);
    const second = waitsAt(first.waits, [a, b], [block(6n, [b.txHash])], 6n);
    expect(second).toMatchObject({ fresh: [{ requestId: a.id, sinceHeight: 5n }], isOver: false });
    const third = waitsAt(second.waits, [a], [block(7n, [a.txHash])], 7n);
    expect(third).toMatchObject({ fresh: [], isOver: false });
    expect(waitsAt(third.waits, [], [], 8n)).toEqual({ waits: new Map(), fresh: [], isOver: true });
  });
});

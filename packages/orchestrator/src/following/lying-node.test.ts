import { type ChainFamily, FAMILIES } from "@conclave/chains";
import { type ChainNode, NODES, type Sighting } from "@conclave/chains/node";
import {
  type ChainRequest,
  type ChainWallet,
  type FamilyContent,
  ok,
  type TransferId,
  transferView,
} from "@conclave/custody";
import { makeLogger, readTransaction, readTransfer } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { carryOutOn } from "../testing/carry-out.ts";
import { followRound } from "../testing/follow-once.ts";
import { startWorld, type World } from "../testing/world.ts";
import { expectedTransfer } from "./expected-transfer.ts";
import { type Follower, makeFollower } from "./follower.ts";

const logger = makeLogger({ name: "test", level: "silent" });
const dead = { fateOf: async () => ok({ kind: "dead", reason: "its time is over" } as const) };

let world: World;
let wallet: ChainWallet;
let nowMs: number;
let fatesAsked: number;
beforeEach(async () => {
  world = await startWorld();
  await world.anvil.control.setAutomine(false);
  wallet = await world.wallet();
  [nowMs, fatesAsked] = [0, 0];
});
afterEach(() => world.stop());

const chainOf = (node: Partial<ChainNode>, family: Partial<ChainFamily> = {}) => ({
  family: { ...FAMILIES.familyOf(wallet.network), ...family },
  node: { ...NODES.connect(world.network), ...node },
});
const followerOf = (node: Partial<ChainNode>, family: Partial<ChainFamily> = {}): Follower =>
  makeFollower({
    database: world.orchestratorDatabase,
    chain: chainOf(node, family),
    network: wallet.network,
    isUsed: async () => true,
    logger,
    world: { ...processWorld, monotonicMs: () => nowMs },
  });
/** Runs a round each second, for this many seconds. */
const follow = async (follower: Follower, seconds: number): Promise<void> => {
  for (let second = 0; second <= seconds; second += 1) {
    await followRound(follower);
    nowMs += 1_000;
  }
};
const read = async (id: TransferId) =>
  (await readTransfer(world.database, id)) ?? expect.fail(`${id} is gone`);
const broadcasted = async (): Promise<TransferId> => {
  const { id } = await world.transfer(wallet);
  await carryOutOn(world, { network: wallet.network, chain: chainOf({}), logger }, id);
  return id;
};
const sighted = (sighting: Sighting): Partial<ChainNode> => ({ sight: async () => ok(sighting) });
const included: Sighting = {
  kind: "included",
  height: 1n,
  blockHash: "0x01",
  isFinal: true,
  fee: 21_000n,
  succeeded: true,
};
const taking: Partial<ChainNode> = { broadcast: async () => ({ kind: "accepted" }) };
const counted: Partial<ChainNode> = {
  fateOf: async () => {
    fatesAsked += 1;
    return ok({ kind: "open" });
  },
};

describe("INV-5 a node that says that it takes the bytes, and forwards nothing", () => {
  it("does not hold a request whose bytes can land no more", async () => {
    const id = await broadcasted();
    const node = { ...taking, ...sighted({ kind: "unknown" }), ...dead };
    const follower = followerOf(node);
    await follow(follower, 9);
    expect((await read(id)).status).toBe("Broadcasted");
    await follow(follower, 2);
    expect(await read(id)).toMatchObject({ status: "Failed", reason: "its time is over" });
  });

  it("does not hold one that it shows in its pool for ever, where bytes have a deadline", async () => {
    const id = await broadcasted();
    const forDays = { deadTransactions: 64 };
    await world.database.execute("update chain_requests set dead_transactions = $2 where id = $1", [
      id,
      forDays.deadTransactions,
    ]);
    await follow(followerOf({ ...sighted({ kind: "waiting" }), ...dead }, { rebuilds: true }), 11);
    expect((await read(id)).status).toBe("Failed");
  });

  it("is not asked for the fate of what waits in its pool, where bytes have none", async () => {
    await broadcasted();
    await follow(followerOf({ ...sighted({ kind: "waiting" }), ...counted }), 25);
    expect(fatesAsked).toBe(0);
  });

  it("is handed once a minute what it shows in its pool, the same bytes", async () => {
    const id = await broadcasted();
    const handed: Uint8Array[] = [];
    const again: Partial<ChainNode> = {
      broadcast: async (signed) => {
        handed.push(signed);
        return { kind: "accepted" };
      },
    };
    await follow(followerOf({ ...sighted({ kind: "waiting" }), ...again }), 125);
    const { signedTransaction } = await read(id);
    expect(handed).toEqual([signedTransaction, signedTransaction]);
  });

  it("INV-4 takes bytes that its chain holds under another signature: they are taken over by the hash that it has", async () => {
    const id = await broadcasted();
    const { signedTransaction = new Uint8Array(0) } = await read(id);
    const twin = { signed: signedTransaction, txHash: `0x${"07".repeat(32)}` };
    const follower = followerOf({
      ...taking,
      ...counted,
      sight: async (txHash) => ok(txHash === twin.txHash ? included : { kind: "unknown" }),
      twinOf: async () => ok(twin),
    });
    await follow(follower, 9);
    expect((await read(id)).status).toBe("Broadcasted");
    await follow(follower, 2);
    expect(await read(id)).toMatchObject({ status: "Confirmed", txHash: twin.txHash });
  });

  it("is asked for the fate once in ten seconds, and not at each look", async () => {
    await broadcasted();
    await follow(followerOf({ ...taking, ...sighted({ kind: "unknown" }), ...counted }), 35);
    expect(fatesAsked).toBe(3);
  });
});

describe("a transfer that its chain has executed", () => {
  it("is looked for with what it was to move", async () => {
    const id = await broadcasted();
    const expected: (FamilyContent | undefined)[] = [];
    const node = NODES.connect(world.network);
    await follow(
      followerOf({
        sight: (txHash, transfer) => {
          expected.push(transfer);
          return node.sight(txHash, transfer);
        },
      }),
      2,
    );
    const { requestBody } = await read(id);
    expect(expected).toContainEqual(requestBody);
  });

  it("K3 as a speed-up, and as a speed-up of that, is looked for with what it was to move; what cancels it is not", async () => {
    const id = await broadcasted();
    const replace = async (replaced: ChainRequest, kind: "SpeedUpTransaction" | "CancelTransaction") => {
      const call = { kind: "Call", to: wallet.address, value: "1", data: "" } as const;
      const made = await world.transaction(wallet, call, replaced);
      const body = { kind, txHash: "0x01", signedTx: "0x02" };
      await world.database.execute(
        `update chain_requests made set request_body = $2, status = sent.status, tx_hash = made.id, sequence = sent.sequence,
          unsigned_transaction = sent.unsigned_transaction, signed_transaction = sent.signed_transaction,
          details = sent.details, date_broadcasted = sent.date_broadcasted
          from chain_requests sent where made.id = $1 and sent.id = $3`,
        [made.id, body, id],
      );
      return (await readTransaction(world.database, made.id)) ?? expect.fail(`${made.id} is gone`);
    };
    const transfer = await read(id);
    const faster = await replace(transfer, "SpeedUpTransaction");
    const fastest = await replace(faster, "SpeedUpTransaction");
    const cancelled = await replace(fastest, "CancelTransaction");
    const fasterCancel = await replace(cancelled, "SpeedUpTransaction");
    const expected = (request: ChainRequest) => expectedTransfer(world.orchestratorDatabase, request);
    expect(await expected(transfer)).toEqual(transfer.requestBody);
    expect(await expected(faster)).toEqual(transfer.requestBody);
    expect(await expected(fastest)).toEqual(transfer.requestBody);
    expect(await expected(cancelled)).toBeUndefined();
    expect(await expected(fasterCancel)).toBeUndefined();
  });

  it("and that moved nothing is Failed, with its fee and those words", async () => {
    const id = await broadcasted();
    const nothing = {
      ...included,
      succeeded: false,
      movedNothing: true,
      reason: "no event tells of it",
    } as const;
    await follow(followerOf(sighted(nothing)), 2);
    expect(await read(id)).toMatchObject({
      status: "Failed",
      fee: "21000",
      reason: "the chain executed it and moved nothing: no event tells of it",
    });
  });

  it("is dated by the block, as the chain has it on record, and by the clock where the node does not tell it", async () => {
    const [withDate, withoutDate] = [await broadcasted(), await broadcasted()];
    const { txHash } = await read(withDate);
    const blockDate = "2026-11-20T00:00:00.000Z";
    const sight: ChainNode["sight"] = async (asked) =>
      ok(asked === txHash ? { ...included, date: blockDate } : included);
    await follow(followerOf({ sight }), 2);
    const dated = await read(withDate);
    expect([dated.status, dated.dateConfirmed]).toEqual(["Confirmed", blockDate]);
    expect(dated.dateSettled).not.toBe(blockDate);
    const undated = await read(withoutDate);
    expect([undated.status, undated.dateConfirmed]).toEqual(["Confirmed", undated.dateSettled]);
  });

  it("shows what arrived, where that is not the amount, and forgets it when its block is undone", async () => {
    const id = await broadcasted();
    await follow(followerOf(sighted({ ...included, arrived: 97n })), 2);
    expect(transferView(await read(id))).toMatchObject({
      status: "Confirmed",
      details: { arrived: "97", nonce: 0 },
    });
    const other = { height: 1n, hash: "0x02", parentHash: "0x00", holds: [] };
    await follow(followerOf({ ...sighted({ kind: "waiting" }), block: async () => ok(other) }), 11);
    const undone = await read(id);
    expect(undone.status).toBe("Broadcasted");
    expect(undone.details).not.toHaveProperty("arrived");
  });
});

import { createHash } from "node:crypto";
import { makeRegistry } from "@conclave/chains";
import {
  TEST_SECRET_KEY,
  TOY_FAMILY,
  TOY_WINDOW_MS,
  ToyChain,
  type ToyNetwork,
  testAccount,
  testEdwardsKey,
  toyNode,
} from "@conclave/chains/testing";
import { keyIdSchema, networkSchema } from "@conclave/custody";
import { freshId, listDeadTransactions } from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { freshDatabases, WalletWorld } from "../testing/wallet-world.ts";
import { carryOutRequest } from "./work.ts";

const COSMOS = networkSchema.parse("CosmosIcsTestnet");
const account = testAccount(TEST_SECRET_KEY);
const edwards = testEdwardsKey("07".repeat(32));
const cosigner = freshId(keyIdSchema, "key");
const network: ToyNetwork = { network: COSMOS, family: "Cosmos", cosigner, feeCap: "100" };

let chain: ToyChain;
let world: WalletWorld;

beforeEach(async () => {
  chain = new ToyChain(Date.parse("2026-01-02T03:04:05.678Z"));
  const node = toyNode(network, chain);
  world = new WalletWorld(await freshDatabases(), COSMOS, node, makeRegistry([TOY_FAMILY]));
  await world.begin("ECDSA", account);
  await world.enterKey("FROST-Ed25519", edwards, { id: cosigner });
  world.cosigners = [cosigner];
  // both whole keys in one place, as only a test has them
  world.signOne = ({ scheme, bytes }) => (scheme === "CGGMP24" ? account : edwards).sign(bytes);
});
afterEach(() => world.close());

const transfer = (amount = "5") => world.enter({ kind: "Native", to: `toy1${"ab".repeat(20)}`, amount });
const expire = () => chain.mine(3, TOY_WINDOW_MS);

describe("a transfer of a family with two signatures and a window", () => {
  it("is signed by both keys, lands and is confirmed", async () => {
    const { id } = await transfer();
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect(world.asked.map(({ signables }) => signables.map(({ scheme }) => scheme))).toEqual([
      ["CGGMP24", "FROST-Ed25519"],
    ]);
    expect(await world.read(id)).toMatchObject({
      status: "Broadcasted",
      sequence: undefined,
      deadTransactions: 0,
    });
    chain.mine();
    await followOnce(world.handler);
    expect((await world.read(id)).status).toBe("Broadcasted");
    chain.mine();
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({ status: "Confirmed", fee: "10", blockNumber: 1n });
  });

  it("does not wait for others of its wallet", async () => {
    const [first, second] = [await transfer(), await transfer("6")];
    await Promise.all([world.carry(first.id), world.carry(second.id)]);
    chain.mine(2);
    await followOnce(world.handler);
    expect([(await world.read(first.id)).status, (await world.read(second.id)).status]).toEqual([
      "Confirmed",
      "Confirmed",
    ]);
  });

  it("INV-4 is built again only with the authority's word, which goes with the signing command", async () => {
    chain.losesAll = true;
    const { id } = await transfer();
    await world.carry(id);
    const first = await world.read(id);
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    expire();
    await followOnce(world.handler);
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([{ requestId: id, transactions: 1 }]);
    expect((await world.read(id)).txHash).toBe(first.txHash);
    const statement = await world.speak();
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      deadTransactions: 1,
      txHash: undefined,
    });
    expect(await listDeadTransactions(world.database, id)).toEqual([
      { unsigned: first.unsignedTransaction, signed: first.signedTransaction },
    ]);
    chain.losesAll = false;
    await world.carry(id);
    expect(world.asked.map(({ dead }) => dead)).toEqual([
      undefined,
      { ...statement, payload: Buffer.from(statement.payload), signature: Buffer.alloc(64) },
    ]);
    const second = await world.read(id);
    expect(
      createHash("sha256")
        .update(second.unsignedTransaction ?? "")
        .digest("hex"),
    ).not.toBe(
      createHash("sha256")
        .update(first.unsignedTransaction ?? "")
        .digest("hex"),
    );
    chain.mine(2);
    await followOnce(world.handler);
    expect((await world.read(id)).status).toBe("Confirmed");
    expect(new Set(chain.broadcasts).size).toBe(2);
  });

  it("INV-4 asks before its first broadcast as well, when its time was over by then", async () => {
    const { id } = await transfer();
    const { quorum } = world.handler;
    const slow = {
      ...world.handler,
      quorum: {
        ...quorum,
        sign: async (...given: Parameters<typeof quorum.sign>) => {
          expire();
          return quorum.sign(...given);
        },
      },
    };
    expect(await carryOutRequest(slow, id)).toMatchObject({ kind: "Again" });
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("time is over"),
    });
    await world.speak();
    await world.carry(id);
    expect(await world.read(id)).toMatchObject({ status: "Broadcasted", deadTransactions: 1 });
  });

  it("INV-4 gives no verdict while its node is away", async () => {
    chain.losesAll = true;
    const { id } = await transfer();
    await world.carry(id);
    expire();
    chain.isAway = true;
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });
});

import { NODES } from "@conclave/chains/node";
import {
  ALGORAND_KEY,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASSET_ID,
  StubAlgod,
} from "@conclave/chains/testing";
import { networkSchema, ok, type Transfer } from "@conclave/custody";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";

const network = networkSchema.parse(ALGORAND_TESTNET.network);
const payment = { from: ALGORAND_SENDER, to: ALGORAND_RECIPIENT };
const algos = { kind: "Native", ...payment, amount: "1500000" };
const asset = { kind: "Asa", assetId: ASSET_ID, ...payment, amount: "5" };

let world: WalletWorld;
let algod: StubAlgod;

beforeEach(async () => {
  algod = await StubAlgod.start();
  const holdings = { [ASSET_ID]: { amount: 10n, isFrozen: false } };
  algod.accounts.set(ALGORAND_SENDER, { amount: 10_000_000n, least: 200_000n, holdings });
  algod.accounts.set(ALGORAND_RECIPIENT, { amount: 200_000n, least: 200_000n, holdings });
  world = await startWalletWorld(
    ALGORAND_TESTNET,
    NODES.connect(Object.assign({}, ALGORAND_TESTNET, { algodUrl: algod.url })),
    "FROST-Ed25519",
    ALGORAND_KEY,
  );
  world.dateResolved = () => new Date().toISOString();
});
afterEach(async () => {
  await Promise.all([world.close(), algod.stop()]);
});

/** The node names the transaction that it is handed next. */
const carry = async (id: Transfer["id"]) => {
  let disposition = await world.carry(id);
  const { txHash } = await world.read(id);
  if (disposition.kind === "Again" && txHash !== undefined) {
    algod.takenId = txHash;
    disposition = await world.carry(id);
  }
  return disposition;
};

const landsIn = (id: string, round: bigint): void => {
  algod.lastRound = round;
  algod.rounds.set(round, [id]);
  algod.pending.set(id, { "pool-error": "", "confirmed-round": round, txn: { txn: { fee: 1_000 } } });
};

describe("a transfer on Algorand", () => {
  it.each([algos, asset])(
    "is signed, handed over and confirmed with the fee that it paid: $kind",
    async (transfer) => {
      const { id } = await world.enter(transfer);
      expect(await carry(id)).toEqual({ kind: "Done" });
      expect(world.asked[0]?.signables.map(({ scheme }) => scheme)).toEqual(["FROST-Ed25519"]);
      const { txHash = "", signedTransaction } = await world.read(id);
      expect(algod.posted.at(-1)).toEqual(signedTransaction);
      await followOnce(world.handler);
      expect((await world.read(id)).status).toBe("Broadcasted");
      landsIn(txHash, 1_003n);
      await followOnce(world.handler);
      expect(await world.read(id)).toMatchObject({ status: "Confirmed", fee: "1000", blockNumber: 1_003n });
    },
  );

  it("does not wait for others of its wallet", async () => {
    const [first, second] = [await world.enter(algos), await world.enter(algos)];
    await carry(second.id);
    await carry(first.id);
    const [one, other] = [await world.read(first.id), await world.read(second.id)];
    expect([one.status, other.status]).toEqual(["Broadcasted", "Broadcasted"]);
    // the very same payment twice: only the leases tell them apart
    expect(one.txHash).not.toBe(other.txHash);
  });

  it("that is impossible has failed in words, and nothing was signed", async () => {
    algod.accounts.set(ALGORAND_RECIPIENT, { amount: 0n, least: 100_000n });
    const { id } = await world.enter(asset);
    expect(await carry(id)).toEqual({ kind: "Done" });
    expect(await world.read(id)).toMatchObject({
      status: "Failed",
      reason: `the recipient has not opted in to the asset ${ASSET_ID}: have it send 0 units of it to itself`,
    });
    expect(world.asked).toEqual([]);
  });

  it("waits for a node that is away, and says so", async () => {
    algod.spoilt.set("/", { status: 503, text: "" });
    const { id } = await world.enter(algos);
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("does not answer"),
    });
    algod.spoilt.clear();
    await carry(id);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it("INV-4 sends the very same bytes again when the node's answer was lost", async () => {
    const { id } = await world.enter(algos);
    // it takes the bytes, and what comes back is not an answer to them
    algod.takenId = "";
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    const { txHash = "", signedTransaction } = await world.read(id);
    algod.refusal = `TransactionPool.Remember: transaction already in ledger: ${txHash}`;
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect([
      world.asked.length,
      new Set(algod.posted.map((bytes) => Buffer.from(bytes).toString("hex"))).size,
    ]).toEqual([1, 1]);
    expect((await world.read(id)).signedTransaction).toEqual(signedTransaction);
  });

  it("INV-4 is built again only when its rounds are over and hold none of it, and the authority says so", async () => {
    const { id } = await world.enter(algos);
    await carry(id);
    const first = await world.read(id);
    const dead = "TransactionPool.Remember: txn dead: round 1201 outside of 1000--1200";
    algod.refusal = dead;
    algod.lastRound = 1_200n;
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    algod.lastRound = 1_201n;
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([{ requestId: id, transactions: 1 }]);
    expect((await world.read(id)).txHash).toBe(first.txHash);
    await world.speak();
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      deadTransactions: 1,
      txHash: undefined,
    });
    algod.refusal = undefined;
    await carry(id);
    const second = await world.read(id);
    expect([second.status, second.txHash === first.txHash, world.asked.length]).toEqual([
      "Broadcasted",
      false,
      2,
    ]);
    expect(world.asked[1]?.dead).toBeDefined();
  });

  it("INV-5 is confirmed though what the node says of another one cannot be recorded, and that one is once it can", async () => {
    const [first, second] = [await world.enter(algos), await world.enter(algos)];
    for (const { id } of [first, second]) await carry(id);
    const chain = world.handler.chains.get(network) ?? expect.fail("the network is served");
    const { txHash } = await world.read(first.id);
    const included = { height: 1_003n, isFinal: true, fee: 1_000n, succeeded: true } as const;
    const saying = (blockHash: string) => ({
      ...world.handler,
      chains: new Map([
        [
          network,
          {
            ...chain,
            node: {
              ...chain.node,
              sight: async (hash: string) =>
                ok({ kind: "included", ...included, blockHash: hash === txHash ? blockHash : "b" } as const),
            },
          },
        ],
      ]),
    });
    // no text of PostgreSQL holds a NUL
    await followOnce(saying("\0"));
    expect([(await world.read(first.id)).status, (await world.read(second.id)).status]).toEqual([
      "Broadcasted",
      "Confirmed",
    ]);
    await followOnce(saying("b"));
    expect((await world.read(first.id)).status).toBe("Confirmed");
  });

  it("INV-4 is confirmed, and not built again, when its rounds hold it after the node forgot", async () => {
    const { id } = await world.enter(algos);
    await carry(id);
    const { txHash = "" } = await world.read(id);
    algod.rounds.set(1_150n, [txHash]);
    algod.lastRound = 3_000n;
    algod.refusal = "TransactionPool.Remember: txn dead: round 3001 outside of 1000--1200";
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({
      status: "Confirmed",
      txHash,
      blockNumber: 1_150n,
      fee: "1000",
    });
  });
});

import { type ChainNode, FAMILIES } from "@conclave/chains";
import {
  authorisedBitcoin,
  BITCOIN_KEY,
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  BTC_TRANSFER,
  inEarlierEncoding,
  TAPROOT_KEY,
} from "@conclave/chains/testing";
import { WALLET_SAMPLES } from "@conclave/chains/testing/ledgers";
import { type ChainRequest, fail, networkSchema, ok } from "@conclave/custody";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BitcoinWorld, startBitcoinWorld } from "../testing/bitcoin-world.ts";
import { followOnce } from "../testing/follow-once.ts";
import { describeTransfers } from "../testing/transfer-suite.ts";
import { carryOutRequest } from "./work.ts";

const sample = WALLET_SAMPLES.Bitcoin;
const network = networkSchema.parse(BITCOIN_SIGNET.network);
const family = FAMILIES.familyOf(network);

let world: BitcoinWorld;
beforeEach(async () => {
  world = await startBitcoinWorld();
});
afterEach(() => world.stop());

/** Carries a request out through another node. */
const carryBy = (node: ChainNode, { id }: ChainRequest) =>
  carryOutRequest({ ...world.handler, chains: new Map([[network, { family, node }]]) }, id);

/** Whether the transactions of two requests spend a common coin, according to their exclusions. */
const sharesCoins = (one: ChainRequest, other: ChainRequest): boolean =>
  family.excludes(one.exclusion ?? new Uint8Array(0), other.exclusion ?? new Uint8Array(0));

describeTransfers({
  sample,
  world: () => world,
  fund: async () => {
    await world.fund(world.wallet.address, 70_000, 60_000);
  },
  landings: [
    {
      title: "a wallet of ECDSA, coin by coin",
      transfer: BTC_TRANSFER,
      signables: [
        ["CGGMP24", 32],
        ["CGGMP24", 32],
      ],
    },
    {
      title: "a Taproot wallet",
      transfer: { ...BTC_TRANSFER, from: TAPROOT_KEY.address },
      wallet: ["FROST-Taproot", TAPROOT_KEY],
      signables: [
        ["FROST-Taproot", 32],
        ["FROST-Taproot", 32],
      ],
    },
  ],
  posted: () => world.posted(),
  appear: () => world.mine(5),
  land: async ({ details }) => {
    await world.mine();
    expect(await world.node.balance(BITCOIN_RECIPIENT)).toEqual(ok(120_000n));
    return { fee: details?.["fee"] };
  },
  impossible: {
    prepare: () => world.fund(BITCOIN_SENDER, 1_000),
    transfer: BTC_TRANSFER,
    reason: expect.stringMatching(
      /^insufficient funds: .* the wallet can spend 1000; send it more, or ask for less$/,
    ),
  },
  outage: {
    begin: () => world.admin("warm-up", { count: 3 }),
    end: () => expect.poll(async () => (await world.node.balance(BITCOIN_SENDER)).ok).toBe(true),
    reason: "starting",
  },
});

describe("a transfer on Bitcoin", () => {
  it("INV-4 finds what it has sent when the node's answer was lost, and signs nothing else", async () => {
    await world.fund(BITCOIN_SENDER, 200_000);
    const request = await world.pay();
    await world.admin("lose-replies", { count: 1 });
    expect(await world.carry(request)).toEqual({ kind: "Done" });
    expect((await world.read(request)).status).toBe("Broadcasted");
    expect(await world.carry(request)).toEqual({ kind: "Done" });
    expect(world.asked).toHaveLength(1);
  });
});

describe("INV-5 a transfer while blocks are undone", () => {
  it("waits for the payment before it to come into a block again", async () => {
    await world.fund(BITCOIN_SENDER, 900_000);
    const first = await world.pay();
    await world.carry(first);
    await world.follow(6);
    expect((await world.read(first)).status).toBe("Confirmed");
    await world.admin("reorg", { depth: 6 });
    const second = await world.pay();
    expect(await world.carry(second)).toMatchObject({ kind: "Again" });
    expect(await world.read(second)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("waiting for transactions that spend coins of the wallet"),
    });
    await world.mine();
    expect(await world.carry(second)).toEqual({ kind: "Done" });
    expect((await world.read(second)).status).toBe("Broadcasted");
  });
});

describe("INV-4 a transfer whose node's answer was lost", () => {
  it("is sent again, the very same bytes, when the node does not tell of it either", async () => {
    await world.fund(BITCOIN_SENDER, 200_000);
    const request = await world.pay();
    const lossy: ChainNode = {
      ...world.node,
      broadcast: async (signed) => {
        await world.node.broadcast(signed);
        return { kind: "refused", reason: "no answer" };
      },
      sight: async () => fail("ServiceUnavailable", { network }),
    };
    expect(await carryBy(lossy, request)).toMatchObject({ kind: "Again" });
    const { signedTransaction, txHash, status } = await world.read(request);
    expect(status).toBe("Executing");
    expect(await world.carry(request)).toEqual({ kind: "Done" });
    expect(await world.read(request)).toMatchObject({ status: "Broadcasted", signedTransaction, txHash });
    expect(world.asked).toHaveLength(1);
  });
});

describe("two transfers of one wallet", () => {
  it.each(["one after the other", "at once"])("take different coins %s", async (how) => {
    await world.fund(BITCOIN_SENDER, 130_000, 140_000);
    const both = [await world.pay(), await world.pay()];
    if (how === "at once") await Promise.all(both.map(world.carry));
    else for (const each of both) await world.carry(each);
    const [one, other] = await Promise.all(both.map(world.read));
    if (one === undefined || other === undefined) expect.fail("there are two");
    expect([one.status, other.status, sharesCoins(one, other)]).toEqual([
      "Broadcasted",
      "Broadcasted",
      false,
    ]);
    await world.follow(6);
    expect((await Promise.all(both.map(world.read))).map(({ status }) => status)).toEqual([
      "Confirmed",
      "Confirmed",
    ]);
  });

  it("of one coin: the second waits for the change of the first", async () => {
    await world.fund(BITCOIN_SENDER, 400_000);
    const [first, second] = [await world.pay(), await world.pay()];
    await world.carry(first);
    expect(await world.carry(second)).toMatchObject({ kind: "Again" });
    expect(await world.read(second)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("waiting for the change"),
    });
    await world.mine();
    await expect.poll(async () => (await world.carry(second)).kind).toBe("Done");
    expect((await world.read(second)).status).toBe("Broadcasted");
    await world.follow(6);
    expect([(await world.read(first)).status, (await world.read(second)).status]).toEqual([
      "Confirmed",
      "Confirmed",
    ]);
  });
});

describe("a transfer that is built while another of its wallet lands", () => {
  /** Builds one request, and carries another out to its end before the first is committed. */
  const carryBeside = async (built: ChainRequest, landing: ChainRequest): Promise<void> => {
    let builds = 0;
    const slow: ChainNode = {
      ...world.node,
      build: async (intent) => {
        const made = await world.node.build(intent);
        builds += 1;
        if (builds > 1) return made;
        await world.carry(landing);
        await world.follow(6);
        return made;
      },
    };
    await carryBy(slow, built);
    expect((await world.read(landing)).status).toBe("Confirmed");
    await expect.poll(async () => (await world.carry(built)).kind).toBe("Done");
    await world.follow(6);
  };

  it("INV-4 is not confirmed by the other's transaction: two requests make two payments", async () => {
    await world.fund(BITCOIN_SENDER, 400_000);
    const [first, second] = [await world.pay(), await world.pay()];
    await carryBeside(second, first);
    expect(await world.read(second)).toMatchObject({ status: "Confirmed" });
    const paid = await world.node.balance(BITCOIN_RECIPIENT);
    expect(paid.ok && paid.value).toBe(240_000n);
  });

  it("INV-5 takes none of the coins that the other has spent, and lands as well", async () => {
    await world.fund(BITCOIN_SENDER, 400_000);
    const first = await world.pay();
    const second = await world.enter({ ...BTC_TRANSFER, amount: "50000" });
    await carryBeside(second, first);
    expect(await world.read(second)).toMatchObject({ status: "Confirmed" });
  });
});

describe("INV-4 a transfer that was broadcast", () => {
  /** A payment with coins of the wallet that no request made. */
  const sendBeside = async (transfer: typeof BTC_TRANSFER, ...alive: readonly Uint8Array[]) => {
    const act = authorisedBitcoin(transfer);
    const sequencing = { kind: "next", lowest: 0n } as const;
    const built = await world.node.build({
      alive,
      sender: BITCOIN_SENDER,
      keys: [],
      act,
      priority: undefined,
      sequencing,
    });
    if (!built.ok) expect.fail(built.problem.message);
    const { unsigned } = built.value;
    const reading = family.read(world.node.network, unsigned, act);
    const signatures = reading.ok ? reading.value.signables.map(({ bytes }) => BITCOIN_KEY.sign(bytes)) : [];
    const made = family.attach(unsigned, signatures, [BITCOIN_KEY.publicKey]);
    if (!made.ok) expect.fail(made.problem.message);
    expect(await world.node.broadcast(made.value.signed)).toEqual({ kind: "accepted" });
    return { unsigned, ...made.value };
  };

  it("lands again with the same bytes after a reorganisation, however deep", async () => {
    await world.fund(BITCOIN_SENDER, 200_000);
    const request = await world.pay();
    await world.carry(request);
    await world.follow(6);
    const { blockHash, signedTransaction, status } = await world.read(request);
    expect(status).toBe("Confirmed");
    await world.admin("reorg", { depth: 6 });
    await followOnce(world.handler);
    expect((await world.read(request)).status).toBe("Broadcasted");
    await followOnce(world.handler);
    await world.follow(6);
    const after = await world.read(request);
    expect(after).toMatchObject({ status: "Confirmed", signedTransaction });
    expect(after.blockHash).not.toBe(blockHash);
    expect(world.asked).toHaveLength(1);
  });

  it("has failed once another transaction has spent its coin for good, and not before", async () => {
    await world.fund(BITCOIN_SENDER, 200_000);
    const request = await world.pay();
    await world.carry(request);
    const { txHash } = await world.read(request);
    await world.admin("drop", { id: txHash });
    // another holder of the whole key spends the coin elsewhere
    const foreign = await sendBeside({ ...BTC_TRANSFER, amount: "50000" });
    await world.follow(5);
    expect((await world.read(request)).status).toBe("Broadcasted");
    await world.follow(1);
    expect(await world.read(request)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining(`${foreign.txHash} has spent its coin`),
    });
    expect(world.asked).toHaveLength(1);
  });

  it("is Confirmed as another version of it that has spent its coins for good", async () => {
    await world.fund(BITCOIN_SENDER, 200_000);
    const request = await world.pay();
    await world.carry(request);
    const { txHash: sent } = await world.read(request);
    await world.admin("drop", { id: sent });
    await world.admin("set-fees", { young: false, estimates: [{ blocks: 6, rate: 40_000 }] });
    const { txHash, signed } = await sendBeside(BTC_TRANSFER);
    expect(txHash).not.toBe(sent);
    await world.follow(6);
    await world.follow(1);
    const after = await world.read(request);
    expect(after).toMatchObject({ status: "Confirmed", txHash, fee: after.details?.["fee"] });
    expect(Buffer.compare(after.signedTransaction ?? new Uint8Array(), signed)).toBe(0);
    expect(world.asked).toHaveLength(1);
  });

  it("has failed where another payment has spent its coin, though one like it was made with another coin", async () => {
    await world.fund(BITCOIN_SENDER, 200_000, 200_000);
    const request = await world.pay();
    await world.carry(request);
    const { txHash, unsignedTransaction: sent = expect.fail("nothing was built") } =
      await world.read(request);
    await world.admin("drop", { id: txHash });
    const like = await sendBeside(BTC_TRANSFER, sent);
    const other = await sendBeside({ ...BTC_TRANSFER, amount: "50000" }, like.unsigned);
    await world.follow(6);
    await world.follow(1);
    expect(await world.read(request)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining(`${other.txHash} has spent its coin`),
    });
  });

  it("that waited for its signers keeps its coins, at the fees of then", async () => {
    await world.fund(BITCOIN_SENDER, 200_000, 300_000);
    const [request, other] = [await world.pay(), await world.pay()];
    world.shortage = "too few signers live";
    expect(await world.carry(request)).toMatchObject({ kind: "Again" });
    const before = await world.read(request);
    expect(before).toMatchObject({ status: "Executing", reason: world.shortage });
    expect(await world.carry(other)).toMatchObject({ kind: "Again" });
    await world.admin("set-fees", { young: false, estimates: [{ blocks: 6, rate: 40_000 }] });
    world.shortage = undefined;
    await world.carry(request);
    await world.carry(other);
    const [after, beside] = [await world.read(request), await world.read(other)];
    expect([after.status, beside.status]).toEqual(["Broadcasted", "Broadcasted"]);
    expect([sharesCoins(before, after), sharesCoins(after, beside)]).toEqual([true, false]);
    expect(Number(after.details?.["fee"]) > Number(before.details?.["fee"])).toBe(true);
  });

  it("INV-4 is the version that landed, where the database went back and signers name another one first", async () => {
    await world.fund(BITCOIN_SENDER, 200_000);
    const request = await world.pay();
    world.shortage = "too few signers live";
    await world.carry(request);
    const { unsignedTransaction: begun } = await world.read(request);
    await world.admin("set-fees", { young: false, estimates: [{ blocks: 6, rate: 40_000 }] });
    world.shortage = undefined;
    await world.carry(request);
    await world.follow(6);
    const before = await world.read(request);
    const { unsignedTransaction: landed, txHash } = before;
    if (begun === undefined || landed === undefined) expect.fail("nothing was built");
    expect([before.status, Buffer.compare(begun, landed) === 0]).toEqual(["Confirmed", false]);
    world.askSigned = () => ({
      of: 3,
      threshold: 2,
      remembering: 2,
      answers: [[begun], [begun], [landed]].map(async (transactions, at) => {
        // this signer answers later than a quorum
        if (at === 2) await new Promise((resolve) => setImmediate(resolve));
        return { isBound: true, isWhole: true, transactions };
      }),
    });
    await world.database.execute(
      `update chain_requests set signed_transaction = null, tx_hash = null, block_number = null, block_hash = null, fee = null,
         date_broadcasted = null, date_confirmed = null, date_settled = null, status = 'Pending', sequence = null,
         exclusion = null, unsigned_transaction = null, details = null where id = $1`,
      [request.id],
    );
    // a node that does not answer about one version decides nothing about which one landed
    const away: ChainNode = {
      ...world.node,
      sight: async () => fail("ServiceUnavailable", {}, "the node rests"),
    };
    for (let look = 0; look < 3; look += 1) {
      await carryBy(away, request);
      expect(await world.read(request)).toMatchObject({
        signedTransaction: undefined,
        reason: "the node rests",
      });
    }
    // the version that landed costs more than the network allows now: neither it nor another one is taken over
    const cap = { ...world.node.network, feeCap: String(Number(before.details?.["fee"]) - 1) };
    // the versions' ids suffice, whatever a search among the wallet's transactions finds
    const findsNone = { findSent: async () => ok(undefined) };
    const capped: ChainNode = { ...world.node, ...findsNone, network: cap };
    for (let look = 0; look < 3; look += 1) {
      await carryBy(capped, request);
      expect(await world.read(request)).toMatchObject({
        signedTransaction: undefined,
        reason: expect.stringContaining("costs more than the network allows now"),
      });
    }
    // if a lagging node has one version in its pool and another is in a block, the latter is taken
    const lags: ChainNode = {
      ...world.node,
      ...findsNone,
      sight: async (id, expected) =>
        id === txHash ? world.node.sight(id, expected) : ok({ kind: "waiting" }),
    };
    await carryBy(lags, request);
    await world.carry(request);
    await world.follow(6);
    expect(await world.read(request)).toMatchObject({ status: "Confirmed", txHash });
  });

  it("INV-4 is not another one's transaction, though signers name it: it waits, and fails once that one is final", async () => {
    await world.fund(BITCOIN_SENDER, 400_000);
    const first = await world.pay();
    await world.carry(first);
    await world.follow(5);
    const { unsignedTransaction: landed = expect.fail("nothing was built") } = await world.read(first);
    const second = await world.pay();
    world.askSigned = () => ({
      of: 3,
      threshold: 2,
      remembering: 2,
      answers: [1, 2, 3].map(async () => ({ isBound: true, isWhole: true, transactions: [landed] })),
    });
    const reason = "another request of the wallet has the transaction that signers name for it";
    for (let look = 0; look < 3; look += 1) await world.carry(second);
    expect(await world.read(second)).toMatchObject({ status: "Executing", reason });
    await world.follow(1);
    await world.carry(second);
    expect(await world.read(second)).toMatchObject({
      status: "Failed",
      signedTransaction: undefined,
      reason,
    });
  });

  it("of which a part is signed keeps its bytes when it has to wait: the rest is asked for", async () => {
    await world.fund(BITCOIN_SENDER, 200_000);
    const request = await world.pay();
    world.shortage = "too few signers live";
    await world.carry(request);
    const before = await world.read(request);
    await world.admin("set-fees", { young: false, estimates: [{ blocks: 6, rate: 40_000 }] });
    [world.shortage, world.isBegun] = [undefined, true];
    await world.carry(request);
    const after = await world.read(request);
    expect([after.status, after.reason]).toEqual(["Broadcasted", undefined]);
    expect(after.unsignedTransaction).toEqual(before.unsignedTransaction);
  });

  it("is sped up: one of the two lands, and the other one ends", async () => {
    await world.fund(BITCOIN_SENDER, 200_000);
    const request = await world.pay();
    await world.carry(request);
    const { from, to, amount } = BTC_TRANSFER;
    const faster = await world.replace(await world.read(request), { kind: "SpeedUp", from, to, amount });
    expect(await world.carry(faster)).toEqual({ kind: "Done" });
    const [before, after] = [await world.read(request), await world.read(faster)];
    expect([after.status, sharesCoins(before, after)]).toEqual(["Broadcasted", true]);
    expect(Number(after.details?.["fee"]) > Number(before.details?.["fee"])).toBe(true);
    await world.follow(6);
    expect([(await world.read(request)).status, (await world.read(faster)).status]).toEqual([
      "Failed",
      "Confirmed",
    ]);
    const paid = await world.node.balance(BITCOIN_RECIPIENT);
    expect(paid.ok && paid.value).toBe(120_000n);
  });

  it("is cancelled: its coins come back, and nobody is paid", async () => {
    await world.fund(BITCOIN_SENDER, 200_000);
    const request = await world.pay();
    await world.carry(request);
    const back = await world.replace(await world.read(request), { kind: "Cancel", from: BITCOIN_SENDER });
    expect(await world.carry(back)).toEqual({ kind: "Done" });
    await world.follow(6);
    expect([(await world.read(request)).status, (await world.read(back)).status]).toEqual([
      "Failed",
      "Confirmed",
    ]);
    const paid = await world.node.balance(BITCOIN_RECIPIENT);
    expect(paid.ok && paid.value).toBe(0n);
  });
});

describe("INV-4 a transfer that an earlier version built and nobody signed", () => {
  /** Puts a request's row into the state that an orchestrator of that version left when it died before it asked the signers. */
  const builtEarlier = async (exclusion?: Uint8Array) => {
    const request = await world.pay();
    world.shortage = "too few signers live";
    await world.carry(request);
    world.shortage = undefined;
    const { unsignedTransaction = expect.fail("it is not built"), exclusion: own } =
      await world.read(request);
    const earlier = inEarlierEncoding(unsignedTransaction);
    await world.database.execute(
      "update chain_requests set unsigned_transaction = $2, exclusion = $3, reason = null where id = $1",
      [request.id, earlier, exclusion ?? own],
    );
    return { request, earlier };
  };

  it("is built again in the encoding of now, of the same coins, and lands", async () => {
    await world.fund(BITCOIN_SENDER, 70_000, 60_000);
    const { request, earlier } = await builtEarlier();
    const before = await world.read(request);
    expect(await world.carry(request)).toEqual({ kind: "Done" });
    const after = await world.read(request);
    expect([after.status, sharesCoins(before, after)]).toEqual(["Broadcasted", true]);
    expect(after.unsignedTransaction).not.toEqual(Buffer.from(earlier));
    expect(world.asked.map(({ unsigned }) => Buffer.from(unsigned))).toEqual([after.unsignedTransaction]);
    await world.follow(6);
    expect((await world.read(request)).status).toBe("Confirmed");
  });

  it("waits for a node that is away, and is built again then", async () => {
    await world.fund(BITCOIN_SENDER, 70_000, 60_000);
    const { request } = await builtEarlier();
    await world.admin("warm-up", { count: 3 });
    expect(await world.carry(request)).toMatchObject({ kind: "Again" });
    expect((await world.read(request)).status).toBe("Executing");
    await expect.poll(async () => (await world.carry(request)).kind).toBe("Done");
    expect((await world.read(request)).status).toBe("Broadcasted");
  });

  it("has failed where the new bytes do not exclude the old, and nothing is signed", async () => {
    await world.fund(BITCOIN_SENDER, 70_000, 60_000);
    const { request } = await builtEarlier(new Uint8Array(36).fill(7));
    expect(await world.carry(request)).toEqual({ kind: "Done" });
    expect(await world.read(request)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("not in its one encoding"),
    });
    expect(world.asked).toEqual([]);
  });
});

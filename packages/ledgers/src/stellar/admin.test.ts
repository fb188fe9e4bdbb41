import { Asset, type Keypair, Operation } from "@stellar/stellar-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  answerIn,
  type BuildOptions,
  lumens,
  type StellarWorld,
  startStellarWorld,
  stellarKey,
} from "../testing/stellar-world.ts";

const [ALICE, BOB, CAROL] = [stellarKey(1), stellarKey(2), stellarKey(3)];
const LUMEN = 10_000_000;

let world: StellarWorld;

beforeEach(async () => {
  world = await startStellarWorld();
  await world.fund(ALICE, 100 * LUMEN);
  await world.fund(BOB, 10 * LUMEN);
});

afterEach(() => world[Symbol.asyncDispose]());

const pay = (from: Keypair, options?: BuildOptions) => world.signed(from, [lumens(CAROL, "1")], options);
const hashOf = (transaction: { hash(): Buffer }): string => transaction.hash().toString("hex");
const ledgerOf = async (hash: string): Promise<number | undefined> => {
  const found = await world.rpc.getTransaction(hash);
  return found.status === "NOT_FOUND" ? undefined : found.ledger;
};

it("a dropped transaction is forgotten, and the same bytes are taken again", async () => {
  await world.fund(CAROL, LUMEN);
  const transaction = await pay(ALICE);
  await world.status(transaction);
  expect(await world.admin("drop", { id: hashOf(transaction) })).toMatchObject({ body: { waiting: [] } });
  await world.mine();
  expect(await ledgerOf(hashOf(transaction))).toBeUndefined();
  expect(await world.status(transaction)).toBe("PENDING");
  await world.mine();
  expect(await ledgerOf(hashOf(transaction))).toBe(6);
});

it("a delayed transaction stays out of that many ledgers, while others pass it", async () => {
  const [slow, quick] = [await pay(ALICE), await pay(BOB)];
  await world.status(slow);
  await world.admin("delay", { id: hashOf(slow), rounds: 6 });
  await world.status(quick);
  await world.mine(6);
  expect([await ledgerOf(hashOf(slow)), await ledgerOf(hashOf(quick))]).toEqual([undefined, 4]);
  await world.mine();
  expect(await ledgerOf(hashOf(slow))).toBe(10);
});

it("a delayed transaction whose time passes is never in a ledger, and its number stays free", async () => {
  const transaction = await pay(ALICE, { timeout: 30 });
  await world.status(transaction);
  await world.admin("delay", { rounds: 2 });
  await world.admin("shift-clock", { seconds: 31 });
  await world.mine(3);
  expect(await ledgerOf(hashOf(transaction))).toBeUndefined();
  expect(await world.admin("mine")).toMatchObject({ body: { waiting: [] } });
  const { sequence } = await world.horizon.loadAccount(ALICE.publicKey());
  expect(sequence).toBe((2n << 32n).toString());
});

describe("while ledgers are crowded", () => {
  beforeEach(() => world.admin("set-fees", { surge: 5_000 }));

  it("fee_stats says what they ask", async () => {
    const { fee_charged, ledger_capacity_usage } = await world.horizon.feeStats();
    expect([fee_charged.p50, fee_charged.max, ledger_capacity_usage]).toEqual(["5000", "5000", "1.00"]);
    expect((await world.rpc.getFeeStats()).inclusionFee.p50).toBe("5000");
  });

  it("a transaction that offers less waits four ledgers, is dropped, and is not taken again for ten", async () => {
    const cheap = await pay(ALICE, { fee: "4999" });
    expect(await world.status(cheap)).toBe("PENDING");
    await world.mine(3);
    expect(await world.status(cheap)).toBe("DUPLICATE");
    await world.mine();
    expect(await world.status(cheap)).toBe("TRY_AGAIN_LATER");
    await world.mine(10);
    expect(await world.status(cheap)).toBe("PENDING");
  });

  it("a transaction that offers more pays the asked fee", async () => {
    const { hash } = await world.confirmed(await world.signed(ALICE, [lumens(BOB, "1")], { fee: "9000" }));
    const found = await world.horizon.transactions().transaction(hash).call();
    expect([found.fee_charged, found.max_fee]).toEqual(["5000", "9000"]);
  });
});

it("the network's minimum fee rises: what is below is refused", async () => {
  await world.admin("set-fees", { minimum: 200 });
  expect(await world.codes(await pay(ALICE))).toEqual({ transaction: "tx_insufficient_fee" });
  await world.mine();
  expect((await world.horizon.feeStats()).last_ledger_base_fee).toBe("200");
});

it("arranged refusals have the operator's message, the given number of times", async () => {
  await world.admin("refuse", { count: 2, message: "the node is out of memory", status: 503 });
  const transaction = await world.signed(ALICE, [lumens(BOB, "1")]);
  const answer = await world.confirmed(transaction).catch(answerIn);
  expect(answer).toMatchObject({ status: 503, detail: "the node is out of memory" });
  await expect(world.rpc.sendTransaction(transaction)).rejects.toThrow("503");
  expect(await world.status(transaction)).toBe("PENDING");
});

it("a lost reply is a 504, and the transaction is in the next ledger all the same", async () => {
  await world.admin("lose-replies", { count: 2 });
  const transaction = await world.signed(ALICE, [lumens(BOB, "1")]);
  await expect(world.horizon.submitAsyncTransaction(transaction)).rejects.toThrow("504");
  const answer = await world.confirmed(transaction).catch(answerIn);
  expect(answer).toMatchObject({ status: 504, title: "Timeout" });
  await world.mine();
  expect(await ledgerOf(hashOf(transaction))).toBe(4);
});

it("a caller that waits for a ledger that does not come gets an error after a while, with the hash to ask for", async () => {
  const transaction = await world.signed(ALICE, [lumens(BOB, "1")]);
  const answer = world.horizon.submitTransaction(transaction).catch(answerIn);
  await expect.poll(() => world.clock.pending).toBe(1);
  world.clock.pass(55_000);
  expect(await answer).toMatchObject({ status: 504, extras: { hash: hashOf(transaction) } });
});

it("the clock closes ledgers; it can be held and started again", async () => {
  await using timed = await startStellarWorld({ blockMs: 1_000 });
  const latest = async (): Promise<number> => (await timed.rpc.getHealth()).latestLedger;
  await timed.admin("hold");
  timed.clock.pass(5_000);
  expect(await latest()).toBe(1);
  await timed.admin("resume");
  timed.clock.pass(2_000);
  expect(await latest()).toBe(3);
});

it("the ledger's clock can be shifted, and ledgers never get older", async () => {
  await world.admin("shift-clock", { seconds: 3_600 });
  await world.mine();
  await world.admin("shift-clock", { seconds: -7_200 });
  await world.mine();
  const { records } = await world.horizon.ledgers().order("desc").limit(2).call();
  expect(records.map(({ closed_at }) => closed_at)).toEqual(["2026-11-20T01:00:00Z", "2026-11-20T01:00:00Z"]);
});

describe("the faucet", () => {
  it("pays twice to the same new account within one ledger", async () => {
    const input = { address: CAROL.publicKey(), amount: 2 * LUMEN };
    await world.admin("fund", input);
    await world.admin("fund", input);
    await world.mine();
    expect(await world.balance(CAROL)).toBe("4.0000000");
  });

  it("pays many at once, until each of its accounts has a transaction that waits", async () => {
    const statuses: number[] = [];
    for (let key = 0; key < 33; key += 1) {
      const address = stellarKey(100 + key).publicKey();
      statuses.push((await world.admin("fund", { address, amount: LUMEN })).status);
    }
    expect(statuses).toEqual([...Array<number>(32).fill(200), 400]);
    await world.mine();
    expect(await world.balance(stellarKey(131))).toBe("1.0000000");
  });

  it("gives ten thousand lumens to every account at the friendbot", async () => {
    const gift = world.horizon.friendbot(CAROL.publicKey()).call();
    await expect.poll(() => world.clock.pending).toBe(1);
    await world.mine();
    await gift;
    expect(await world.balance(CAROL)).toBe("10000.0000000");
    await expect(world.horizon.friendbot(CAROL.publicKey()).call()).rejects.toThrow("Bad Request");
  });

  it("issues assets to accounts that trust its issuer", async () => {
    const { body } = await world.admin("mine");
    const issuer = typeof body === "object" && body !== null && "issuer" in body ? String(body.issuer) : "";
    const asset = new Asset("TEST", issuer);
    await world.confirmed(await world.signed(ALICE, [Operation.changeTrust({ asset })]));
    const input = { address: ALICE.publicKey(), code: "TEST", amount: "123456789" };
    expect((await world.admin("issue", input)).status).toBe(200);
    await world.mine();
    expect(await world.balance(ALICE, asset)).toBe("12.3456789");
  });
});

it.each<[string, unknown, number, string]>([
  ["mine", { blocks: 0 }, 400, "Too small"],
  ["mine", { blocks: 2_001 }, 400, "Too big"],
  ["mine", { block: 1 }, 400, "Unrecognized key"],
  ["fund", { address: "GABC", amount: 1 }, 400, "is no account's address"],
  ["fund", { address: CAROL.publicKey(), amount: LUMEN - 1 }, 400, "op_low_reserve"],
  ["fund", { address: CAROL.publicKey(), amount: 0 }, 400, "is nothing"],
  ["issue", { address: ALICE.publicKey(), code: "TEST", amount: 1 }, 400, "op_no_trust"],
  ["issue", { address: ALICE.publicKey(), code: "T$", amount: 1 }, 400, "is no asset code"],
  ["drop", { id: "short" }, 400, "is no transaction's hash"],
  ["drop", { id: "a".repeat(64) }, 404, "does not wait in the queue"],
  ["delay", {}, 400, "rounds"],
  ["refuse", { count: 1 }, 400, "message"],
  ["set-fees", { surge: 10_000_001 }, 400, "is above 10000000"],
  ["reorg", { depth: 1 }, 400, "a Stellar ledger is final when it is closed"],
  ["explode", {}, 404, "there is no action explode"],
])("an order that makes no sense is refused: %s %j", async (action, input, status, words) => {
  const answer = await world.admin(action, input);
  expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(words) } });
});

it("a ledger that was given a token asks for it", async () => {
  await using guarded = await startStellarWorld({ token: "secret" });
  const read = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${guarded.url}/fee_stats`, { headers })).status;
  expect([await read({}), await read({ authorization: "Bearer secret" })]).toEqual([401, 200]);
});

it("a ledger does not start beside another on its admin port, and leaves nothing behind", async () => {
  const adminPort = Number(new URL(world.adminUrl).port);
  await expect(startStellarWorld({ adminPort })).rejects.toThrow("EADDRINUSE");
});

import { Asset, Memo, Operation, xdr } from "@stellar/stellar-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lumens, type StellarWorld, startStellarWorld, stellarKey } from "../testing/stellar-world.ts";

const [ALICE, BOB, CAROL] = [stellarKey(1), stellarKey(2), stellarKey(3)];
const LUMEN = 10_000_000;

let world: StellarWorld;

beforeEach(async () => {
  world = await startStellarWorld();
  await world.fund(ALICE, 100 * LUMEN);
  await world.fund(BOB, 10 * LUMEN);
});

afterEach(() => world[Symbol.asyncDispose]());

it("a payment of lumens arrives, and costs its fee", async () => {
  const transaction = await world.signed(ALICE, [lumens(BOB, "2.5")], { memo: Memo.text("rent") });
  const answer = await world.confirmed(transaction);
  expect(answer.hash).toBe(transaction.hash().toString("hex"));
  expect(await Promise.all([ALICE, BOB].map((key) => world.balance(key)))).toEqual([
    "97.4999900",
    "12.5000000",
  ]);
  const found = await world.horizon.transactions().transaction(answer.hash).call();
  expect(found).toMatchObject({
    successful: true,
    ledger_attr: 4,
    fee_charged: "100",
    max_fee: "100",
    memo_type: "text",
    memo: "rent",
    source_account: ALICE.publicKey(),
    envelope_xdr: transaction.toXDR(),
    operation_count: 1,
  });
});

it("an account is created with its first lumens, and its sequence begins with the ledger that created it", async () => {
  const creation = Operation.createAccount({ destination: CAROL.publicKey(), startingBalance: "1" });
  await world.confirmed(await world.signed(ALICE, [creation]));
  expect(await world.balance(CAROL)).toBe("1.0000000");
  expect((await world.horizon.loadAccount(CAROL.publicKey())).sequenceNumber()).toBe((4n << 32n).toString());
});

it("several operations happen all together or not at all, and a failed transaction costs its fee and its number", async () => {
  const before = await world.horizon.loadAccount(ALICE.publicKey());
  const transaction = await world.signed(ALICE, [lumens(BOB, "1"), lumens(CAROL, "1"), lumens(BOB, "1")]);
  expect(await world.codes(transaction)).toEqual({
    transaction: "tx_failed",
    operations: ["op_success", "op_no_destination", "op_success"],
  });
  const after = await world.horizon.loadAccount(ALICE.publicKey());
  expect(BigInt(after.sequenceNumber())).toBe(BigInt(before.sequenceNumber()) + 1n);
  expect([await world.balance(ALICE), await world.balance(BOB)]).toEqual(["99.9999700", "10.0000000"]);
  const { records } = await world.horizon.transactions().forLedger(4).includeFailed(true).call();
  expect(records.map(({ successful, fee_charged }) => [successful, fee_charged])).toEqual([[false, "300"]]);
});

it("the changes of a transaction stand in its meta, entry by entry", async () => {
  const { result_meta_xdr, result_xdr } = await world.confirmed(
    await world.signed(ALICE, [lumens(BOB, "2.5")]),
  );
  const meta = xdr.TransactionMeta.fromXDR(result_meta_xdr, "base64").v4();
  const changes = meta.operations()[0]?.changes() ?? [];
  expect(changes.map((change) => change.switch().name)).toEqual([
    "ledgerEntryState",
    "ledgerEntryUpdated",
    "ledgerEntryState",
    "ledgerEntryUpdated",
  ]);
  const [paid, earned] = [changes[3], changes[1]].map((change) =>
    change?.updated().data().account().balance().toString(),
  );
  expect([paid, earned]).toEqual(["974999900", "125000000"]);
  const result = xdr.TransactionResult.fromXDR(result_xdr, "base64");
  expect([result.feeCharged().toString(), result.result().switch().name]).toEqual(["100", "txSuccess"]);
});

describe("a payment fails in a ledger", () => {
  it.each<[string, () => xdr.Operation, string]>([
    ["to an account that is not there", () => lumens(CAROL, "5"), "op_no_destination"],
    ["of more than there is above the reserve", () => lumens(BOB, "99.1"), "op_underfunded"],
    [
      "that creates an account below its reserve",
      () => Operation.createAccount({ destination: CAROL.publicKey(), startingBalance: "0.9999999" }),
      "op_low_reserve",
    ],
    [
      "that creates an account that is there",
      () => Operation.createAccount({ destination: BOB.publicKey(), startingBalance: "5" }),
      "op_already_exists",
    ],
    [
      "that creates an account with more than there is",
      () => Operation.createAccount({ destination: CAROL.publicKey(), startingBalance: "99.5" }),
      "op_underfunded",
    ],
    [
      "of an asset that its receiver does not trust",
      () =>
        Operation.payment({
          destination: ALICE.publicKey(),
          asset: new Asset("USD", BOB.publicKey()),
          amount: "1",
        }),
      "op_no_trust",
    ],
  ])("%s", async (_, operation, word) => {
    expect(await world.codes(await world.signed(ALICE, [operation()]))).toEqual({
      transaction: "tx_failed",
      operations: [word],
    });
  });
});

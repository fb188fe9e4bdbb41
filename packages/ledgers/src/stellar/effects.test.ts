import { Asset, Operation } from "@stellar/stellar-sdk";
import { expect, it } from "vitest";
import { lumens, type StellarWorld, startStellarWorld, stellarKey } from "../testing/stellar-world.ts";

const [ALICE, BOB, CAROL] = [stellarKey(1), stellarKey(2), stellarKey(3)];

/** The effects of an account's last transaction, as the SDK reads them. */
const effectsOf = async ({ horizon }: StellarWorld, account: string) => {
  const [transaction] = (await horizon.transactions().forAccount(account).order("desc").limit(1).call())
    .records;
  const { records } = await horizon
    .payments()
    .forTransaction(transaction?.hash ?? "")
    .call();
  const effects = [];
  for (const { id } of records) effects.push((await horizon.effects().forOperation(id).call()).records);
  return effects;
};

it("effects state who received and who paid how much, also of a merge, whose operation states no amount", async () => {
  await using world = await startStellarWorld();
  await world.fund(ALICE, 1_000_000_000);
  await world.fund(BOB, 20_000_000);
  const creation = Operation.createAccount({ destination: CAROL.publicKey(), startingBalance: "3" });
  await world.confirmed(await world.signed(ALICE, [creation, lumens(BOB, "1.5")]));
  expect(await effectsOf(world, ALICE.publicKey())).toMatchObject([
    [
      { type: "account_created", account: CAROL.publicKey(), starting_balance: "3.0000000" },
      { type: "account_debited", account: ALICE.publicKey(), amount: "3.0000000", asset_type: "native" },
    ],
    [
      { type: "account_credited", type_i: 2, account: BOB.publicKey(), amount: "1.5000000" },
      { type: "account_debited", type_i: 3, account: ALICE.publicKey(), amount: "1.5000000" },
    ],
  ]);
  await world.confirmed(
    await world.signed(CAROL, [Operation.accountMerge({ destination: BOB.publicKey() })]),
  );
  expect(await effectsOf(world, CAROL.publicKey())).toMatchObject([
    [
      { type: "account_debited", account: CAROL.publicKey(), amount: "2.9999900" },
      { type: "account_credited", account: BOB.publicKey(), amount: "2.9999900" },
      { type: "account_removed", account: CAROL.publicKey() },
    ],
  ]);
});

it("failed operations, those that move nothing, and unknown ones have no effects", async () => {
  await using world = await startStellarWorld();
  await world.fund(ALICE, 1_000_000_000);
  await world.fund(BOB, 20_000_000);
  const status = async (id: string): Promise<number> =>
    (await fetch(`${world.url}/operations/${id}/effects`)).status;
  await world.confirmed(
    await world.signed(ALICE, [Operation.changeTrust({ asset: new Asset("COIN", BOB.publicKey()) })]),
  );
  const [trust] = (
    await world.horizon.transactions().forAccount(ALICE.publicKey()).order("desc").limit(1).call()
  ).records;
  expect(await status(String(BigInt(trust?.paging_token ?? "0") + 1n))).toBe(404);
  const failing = await world.signed(BOB, [lumens(ALICE, "1"), lumens(CAROL, "1")]);
  expect(await world.codes(failing)).toMatchObject({ transaction: "tx_failed" });
  const failed = await world.horizon.transactions().transaction(failing.hash().toString("hex")).call();
  expect(await status(String(BigInt(failed.paging_token) + 1n))).toBe(404);
  expect(await status("1")).toBe(404);
  expect(await status("one")).toBe(400);
});

it("the effects of a transaction are those of all its operations", async () => {
  await using world = await startStellarWorld();
  await world.fund(ALICE, 1_000_000_000);
  await world.fund(BOB, 20_000_000);
  const creation = Operation.createAccount({ destination: CAROL.publicKey(), startingBalance: "3" });
  const transaction = await world.signed(ALICE, [creation, lumens(BOB, "1.5")]);
  await world.confirmed(transaction);
  const { records } = await world.horizon.effects().forTransaction(transaction.hash().toString("hex")).call();
  expect(records.map(({ type, account }) => [type, account])).toEqual([
    ["account_created", CAROL.publicKey()],
    ["account_debited", ALICE.publicKey()],
    ["account_credited", BOB.publicKey()],
    ["account_debited", ALICE.publicKey()],
  ]);
});

import algosdk from "algosdk";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type AlgorandWorld, startAlgorandWorld, testAccount } from "../testing/algorand-world.ts";

const [CREATOR, HOLDER, STRANGER] = [testAccount(1), testAccount(2), testAccount(3)];

let world: AlgorandWorld;

beforeEach(async () => {
  world = await startAlgorandWorld();
  for (const account of [CREATOR, HOLDER, STRANGER]) await world.fund(account, 2_000_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const parameters = () => world.client.getTransactionParams().do();

/** Sends a transaction, and mines it. @returns the node's information on the confirmed transaction */
const confirmed = async (transaction: algosdk.Transaction, by: algosdk.Account) => {
  const id = await world.send(transaction.signTxn(by.sk));
  await world.mine();
  return world.client.pendingTransactionInformation(id).do();
};

const refused = (transaction: algosdk.Transaction, by: algosdk.Account): Promise<string> =>
  world.refusal(transaction.signTxn(by.sk));

const creation = async (more: { readonly defaultFrozen?: boolean } = {}) =>
  algosdk.makeAssetCreateTxnWithSuggestedParamsFromObject({
    sender: CREATOR.addr,
    total: 1_000_000n,
    decimals: 2,
    unitName: "TST",
    assetName: "Test",
    assetURL: "https://example.org",
    manager: CREATOR.addr,
    reserve: CREATOR.addr,
    freeze: CREATOR.addr,
    clawback: CREATOR.addr,
    defaultFrozen: more.defaultFrozen ?? false,
    suggestedParams: await parameters(),
  });

const create = async (more: { readonly defaultFrozen?: boolean } = {}): Promise<bigint> => {
  const { assetIndex } = await confirmed(await creation(more), CREATOR);
  if (assetIndex === undefined) throw new Error("no asset was made");
  return assetIndex;
};

interface TransferFields {
  readonly from: algosdk.Account;
  readonly to: algosdk.Account;
  readonly amount: number;
  readonly closeTo?: algosdk.Account;
  readonly clawedFrom?: algosdk.Account;
}

const transfer = async (assetIndex: bigint, { from, to, amount, closeTo, clawedFrom }: TransferFields) =>
  algosdk.makeAssetTransferTxnWithSuggestedParamsFromObject({
    sender: from.addr,
    receiver: to.addr,
    amount,
    assetIndex,
    suggestedParams: await parameters(),
    ...(closeTo && { closeRemainderTo: closeTo.addr }),
    ...(clawedFrom && { assetSender: clawedFrom.addr }),
  });

const optIn = async (assetIndex: bigint, account: algosdk.Account) =>
  confirmed(await transfer(assetIndex, { from: account, to: account, amount: 0 }), account);

const freeze = async (assetIndex: bigint, frozen: boolean, sender = CREATOR) =>
  algosdk.makeAssetFreezeTxnWithSuggestedParamsFromObject({
    sender: sender.addr,
    assetIndex,
    freezeTarget: HOLDER.addr,
    frozen,
    suggestedParams: await parameters(),
  });

const held = async (account: algosdk.Account, asset: bigint): Promise<bigint | undefined> =>
  (await world.client.accountAssetInformation(account.addr, asset).do()).assetHolding?.amount;

it("an asset is made with all its parameters, and its creator holds every unit", async () => {
  const asset = await create();
  expect(asset).toBe(1_004n);
  const { index, params } = await world.client.getAssetByID(asset).do();
  expect(index).toBe(asset);
  expect(params).toMatchObject({
    total: 1_000_000n,
    decimals: 2,
    unitName: "TST",
    name: "Test",
    url: "https://example.org",
    creator: CREATOR.addr.toString(),
    clawback: CREATOR.addr.toString(),
  });
  const account = await world.client.accountInformation(CREATOR.addr).do();
  expect(account.minBalance).toBe(200_000n);
  expect(account.assets).toMatchObject([{ assetId: asset, amount: 1_000_000n, isFrozen: false }]);
  expect(account.createdAssets).toMatchObject([{ index: asset }]);
});

it("an asset moves to an account that opted in", async () => {
  const asset = await create();
  await optIn(asset, HOLDER);
  expect((await world.client.accountInformation(HOLDER.addr).do()).minBalance).toBe(200_000n);
  await confirmed(await transfer(asset, { from: CREATOR, to: HOLDER, amount: 500 }), CREATOR);
  expect([await held(CREATOR, asset), await held(HOLDER, asset)]).toEqual([999_500n, 500n]);
});

it("an asset does not move to somebody who did not opt in", async () => {
  const asset = await create();
  const sending = await transfer(asset, { from: CREATOR, to: STRANGER, amount: 1 });
  expect(await refused(sending, CREATOR)).toBe(
    `TransactionPool.Remember: transaction ${sending.txID()}: receiver error: must optin, asset ${asset} missing from ${STRANGER.addr}`,
  );
});

it("nobody sends what they do not hold", async () => {
  const asset = await create();
  const without = await transfer(asset, { from: STRANGER, to: CREATOR, amount: 1 });
  expect(await refused(without, STRANGER)).toContain(`asset ${asset} missing from ${STRANGER.addr}`);
  await optIn(asset, HOLDER);
  const tooMuch = await transfer(asset, { from: HOLDER, to: CREATOR, amount: 1 });
  expect(await refused(tooMuch, HOLDER)).toContain("underflow on subtracting 1 from sender amount 0");
});

it("nobody opts in to an asset that does not exist", async () => {
  const opening = await transfer(77n, { from: HOLDER, to: HOLDER, amount: 0 });
  expect(await refused(opening, HOLDER)).toContain("asset 77 does not exist or has been deleted");
});

it("opting in needs a tenth of an algo more", async () => {
  const asset = await create();
  const poor = testAccount(4);
  await world.fund(poor, 150_000);
  const opening = await transfer(asset, { from: poor, to: poor, amount: 0 });
  expect(await refused(opening, poor)).toContain(
    `account ${poor.addr} balance 149000 below min 200000 (1 assets)`,
  );
});

it("closing a holding sends the rest and frees the minimum balance", async () => {
  const asset = await create();
  await optIn(asset, HOLDER);
  await confirmed(await transfer(asset, { from: CREATOR, to: HOLDER, amount: 500 }), CREATOR);
  const closing = await transfer(asset, { from: HOLDER, to: CREATOR, amount: 100, closeTo: CREATOR });
  expect((await confirmed(closing, HOLDER)).assetClosingAmount).toBe(400n);
  expect(await held(CREATOR, asset)).toBe(1_000_000n);
  expect((await world.client.accountInformation(HOLDER.addr).do()).minBalance).toBe(100_000n);
});

it("a creator cannot close its own holding, and an account with assets cannot be closed", async () => {
  const asset = await create();
  const closing = await transfer(asset, { from: CREATOR, to: CREATOR, amount: 0, closeTo: HOLDER });
  expect(await refused(closing, CREATOR)).toContain("cannot close asset ID in allocating account");
  const leaving = algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: CREATOR.addr,
    receiver: HOLDER.addr,
    amount: 0,
    closeRemainderTo: HOLDER.addr,
    suggestedParams: await parameters(),
  });
  expect(await refused(leaving, CREATOR)).toContain("cannot close: 1 outstanding assets");
});

it("a frozen holding moves neither in nor out, until it is free again", async () => {
  const asset = await create();
  await optIn(asset, HOLDER);
  await confirmed(await transfer(asset, { from: CREATOR, to: HOLDER, amount: 500 }), CREATOR);
  await confirmed(await freeze(asset, true), CREATOR);
  const [out, into] = [
    await transfer(asset, { from: HOLDER, to: CREATOR, amount: 1 }),
    await transfer(asset, { from: CREATOR, to: HOLDER, amount: 1 }),
  ];
  expect(await refused(out, HOLDER)).toContain(`asset ${asset} frozen in ${HOLDER.addr}`);
  expect(await refused(into, CREATOR)).toContain("asset frozen in recipient");
  await confirmed(await freeze(asset, false), CREATOR);
  await confirmed(await transfer(asset, { from: HOLDER, to: CREATOR, amount: 1 }), HOLDER);
  expect(await held(HOLDER, asset)).toBe(499n);
});

it("an asset that is frozen by default freezes every new holding, and only its freeze address frees it", async () => {
  const asset = await create({ defaultFrozen: true });
  await optIn(asset, HOLDER);
  const holding = await world.client.accountAssetInformation(HOLDER.addr, asset).do();
  expect(holding.assetHolding?.isFrozen).toBe(true);
  expect(await refused(await freeze(asset, false, HOLDER), HOLDER)).toContain(
    `freeze not allowed: sender ${HOLDER.addr}, freeze ${CREATOR.addr}`,
  );
});

it("only the clawback address takes another's units, frozen or not", async () => {
  const asset = await create();
  await optIn(asset, HOLDER);
  await confirmed(await transfer(asset, { from: CREATOR, to: HOLDER, amount: 500 }), CREATOR);
  await confirmed(await freeze(asset, true), CREATOR);
  const theft = await transfer(asset, { from: STRANGER, to: CREATOR, amount: 1, clawedFrom: HOLDER });
  expect(await refused(theft, STRANGER)).toContain(
    `clawback not allowed: sender ${STRANGER.addr}, clawback ${CREATOR.addr}`,
  );
  await confirmed(
    await transfer(asset, { from: CREATOR, to: CREATOR, amount: 200, clawedFrom: HOLDER }),
    CREATOR,
  );
  expect([await held(CREATOR, asset), await held(HOLDER, asset)]).toEqual([999_700n, 300n]);
});

it("only the manager changes the addresses of an asset, and what is given up stays so", async () => {
  const asset = await create();
  const change = async (sender: algosdk.Account, freezeAddress: algosdk.Address | undefined) =>
    algosdk.makeAssetConfigTxnWithSuggestedParamsFromObject({
      sender: sender.addr,
      assetIndex: asset,
      manager: CREATOR.addr,
      strictEmptyAddressChecking: false,
      suggestedParams: await parameters(),
      ...(freezeAddress && { freeze: freezeAddress }),
    });
  expect(await refused(await change(STRANGER, undefined), STRANGER)).toContain(
    `this transaction should be issued by the manager. It is issued by ${STRANGER.addr}`,
  );
  await confirmed(await change(CREATOR, undefined), CREATOR);
  await confirmed(await change(CREATOR, HOLDER.addr), CREATOR);
  const { params } = await world.client.getAssetByID(asset).do();
  expect([params?.manager, params?.freeze, params?.clawback]).toEqual([
    CREATOR.addr.toString(),
    undefined,
    undefined,
  ]);
});

it("an asset is destroyed while its creator holds all of it", async () => {
  const asset = await create();
  const destruction = async () =>
    algosdk.makeAssetDestroyTxnWithSuggestedParamsFromObject({
      sender: CREATOR.addr,
      assetIndex: asset,
      suggestedParams: await parameters(),
    });
  await optIn(asset, HOLDER);
  await confirmed(await transfer(asset, { from: CREATOR, to: HOLDER, amount: 1 }), CREATOR);
  expect(await refused(await destruction(), CREATOR)).toContain(
    "cannot destroy asset: creator is holding only 999999/1000000",
  );
  await confirmed(await transfer(asset, { from: HOLDER, to: CREATOR, amount: 1 }), HOLDER);
  await confirmed(await destruction(), CREATOR);
  await expect(world.client.getAssetByID(asset).do()).rejects.toThrow("asset does not exist");
  await expect(world.client.accountAssetInformation(CREATOR.addr, asset).do()).rejects.toThrow(
    "account asset info not found",
  );
});

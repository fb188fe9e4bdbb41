import { afterEach, beforeEach, expect, it } from "vitest";
import { TRC20_TEST_TOKEN, TRC721_TEST_COLLECTION } from "../testing/tron-contracts.ts";
import { startTronWorld, type TronWorld, tronTestAddress, tronTestKey } from "../testing/tron-world.ts";

const [ALICE, BOB] = [tronTestKey(1), tronTestKey(2)];
const TRX = 1_000_000;
/** the SDK requires that a sale begins after the machine's time */
const FAR_AWAY = 4_000_000_000_000;

let world: TronWorld;
beforeEach(async () => {
  world = await startTronWorld();
  await world.fund(ALICE, 10_000 * TRX);
});
afterEach(() => world[Symbol.asyncDispose]());

it("a payment makes its receiver's account for 1.1 TRX; the next one is free, within a day's bandwidth", async () => {
  const { transactionBuilder } = world.client;
  const pay = () => transactionBuilder.sendTrx(tronTestAddress(BOB), 5 * TRX, tronTestAddress(ALICE));
  const first = await world.send(await pay(), ALICE);
  expect(await world.info(first)).toEqual({});
  await world.mine();
  expect(await world.balance(BOB)).toBe(5 * TRX);
  expect(await world.balance(ALICE)).toBe(9_993_900_000);
  expect(await world.info(first)).toMatchObject({
    id: first,
    fee: 1_100_000,
    blockNumber: 2,
    receipt: { net_fee: 100_000 },
  });
  const second = await world.send(await pay(), ALICE);
  await world.mine();
  const info = await world.info(second);
  expect(info).toMatchObject({ receipt: { net_usage: 268 } });
  expect(info).not.toHaveProperty("fee");
});

it("the solidity node follows some blocks behind", async () => {
  const { trx, transactionBuilder } = world.client;
  const id = await world.send(
    await transactionBuilder.sendTrx(tronTestAddress(BOB), TRX, tronTestAddress(ALICE)),
    ALICE,
  );
  await world.mine();
  expect(await trx.getBalance(tronTestAddress(BOB))).toBe(0);
  expect(await trx.getTransactionInfo(id)).toEqual({});
  expect(await trx.getTransaction(id)).toMatchObject({ txID: id, ret: [{ contractRet: "SUCCESS" }] });
  await world.mine(3);
  expect(await trx.getBalance(tronTestAddress(BOB))).toBe(TRX);
  expect(await trx.getTransactionInfo(id)).toMatchObject({ id, blockNumber: 2 });
  expect(await trx.getConfirmedTransaction(id)).toMatchObject({ txID: id });
});

it("a TRC-20 token is deployed, moved and read", async () => {
  const token = await world.deploy(TRC20_TEST_TOKEN, ALICE, 1_000_000);
  const contract = await world.client.contract().at(token);
  expect(await contract["decimals"]?.().call()).toBe(6n);
  const call = await world.client.transactionBuilder.triggerSmartContract(
    token,
    "transfer(address,uint256)",
    { feeLimit: 100 * TRX },
    [
      { type: "address", value: tronTestAddress(BOB) },
      { type: "uint256", value: 250 },
    ],
    tronTestAddress(ALICE),
  );
  const id = await world.send(call.transaction, ALICE);
  await world.mine();
  expect(await world.info(id)).toMatchObject({
    fee: 2_805_100,
    receipt: { result: "SUCCESS", energy_usage_total: 28_051, energy_fee: 2_805_100, net_usage: 345 },
    log: [{ address: world.client.address.toHex(token).slice(2), data: expect.stringMatching(/fa$/) }],
  });
  expect(await contract["balanceOf"]?.(tronTestAddress(BOB)).call()).toBe(250n);
});

it("a TRC-721 piece moves", async () => {
  const collection = await world.deploy(TRC721_TEST_COLLECTION, ALICE, 3);
  const contract = await world.client.contract().at(collection);
  expect(await contract["ownerOf"]?.(2).call()).toBe(world.client.address.toHex(tronTestAddress(ALICE)));
  const id = await contract["safeTransferFrom"]?.(tronTestAddress(ALICE), tronTestAddress(BOB), 2).send({
    feeLimit: 100 * TRX,
  });
  await world.mine();
  expect(await world.info(String(id))).toMatchObject({ receipt: { result: "SUCCESS" } });
  expect(await contract["ownerOf"]?.(2).call()).toBe(world.client.address.toHex(tronTestAddress(BOB)));
});

it("a TRC-10 asset is issued and moved", async () => {
  const { transactionBuilder } = world.client;
  const issue = await transactionBuilder.createAsset(
    {
      name: "Development",
      abbreviation: "DEV",
      description: "a token of tests",
      url: "https://example.org",
      totalSupply: 1_000_000,
      trxRatio: 1,
      tokenRatio: 1,
      saleStart: FAR_AWAY,
      saleEnd: FAR_AWAY + 1_000,
      freeBandwidth: 0,
      freeBandwidthLimit: 0,
      frozenAmount: 0,
      frozenDuration: 0,
      precision: 2,
    },
    tronTestAddress(ALICE),
  );
  const issued = await world.send(issue, ALICE);
  await world.mine();
  expect(await world.info(issued)).toMatchObject({ assetIssueID: "1000001", fee: expect.any(Number) });
  await world.send(
    await transactionBuilder.sendToken(tronTestAddress(BOB), 70, "1000001", tronTestAddress(ALICE)),
    ALICE,
  );
  await world.mine();
  expect(await world.client.trx.getUnconfirmedAccount(tronTestAddress(BOB))).toMatchObject({
    assetV2: [{ key: "1000001", value: 70 }],
  });
  expect(await world.client.trx.getTokenByID("1000001")).toMatchObject({ precision: 2 });
});

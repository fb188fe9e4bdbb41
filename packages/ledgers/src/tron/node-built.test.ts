import { utils } from "tronweb";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { TRC20_TEST_TOKEN } from "../testing/tron-contracts.ts";
import {
  startTronWorld,
  type TronWebTransaction,
  type TronWorld,
  tronTestAddress,
  tronTestKey,
} from "../testing/tron-world.ts";

const [ALICE, BOB] = [tronTestKey(1), tronTestKey(2)];
const TRX = 1_000_000;

let world: TronWorld;
beforeEach(async () => {
  world = await startTronWorld();
  await world.fund(ALICE, 10_000 * TRX);
});
afterEach(() => world[Symbol.asyncDispose]());

const hexOf = (key: string): string => world.client.address.toHex(tronTestAddress(key));

/** A transaction that a node built, if the SDK finds its fields, bytes and id consistent. */
const builtSchema = z.custom<TronWebTransaction>((value) => utils.transaction.txCheck(value));

it("a payment that the node builds is what the SDK reads in it, and lands once it is signed", async () => {
  const input = { owner_address: hexOf(ALICE), to_address: hexOf(BOB), amount: 3 * TRX };
  const built = builtSchema.parse(await world.ask("wallet/createtransaction", input));
  expect(built.raw_data.contract[0]?.parameter.value).toMatchObject(input);
  await world.send(built, ALICE);
  expect(await world.ask("wallet/gettransactionlistfrompending")).toEqual({ txId: [built.txID] });
  expect(await world.ask("wallet/gettransactionbyid", { value: built.txID })).not.toHaveProperty("ret");
  await world.mine();
  expect(await world.balance(BOB)).toBe(3 * TRX);
});

it("a payment that cannot be carried out is not built", async () => {
  const input = { owner_address: hexOf(ALICE), to_address: hexOf(BOB), amount: 20_000 * TRX };
  expect(await world.ask("wallet/createtransaction", input)).toEqual({
    Error:
      "class org.tron.core.exception.ContractValidateException : Contract validate error : " +
      "Validate TransferContract error, balance is not sufficient.",
  });
  const asset = {
    owner_address: hexOf(ALICE),
    to_address: hexOf(BOB),
    asset_name: "31303030303031",
    amount: 1,
  };
  expect(await world.ask("wallet/transferasset", asset)).toMatchObject({
    Error: expect.stringContaining("No asset!"),
  });
});

it("a call that the node builds lands, and what is no contract is not called", async () => {
  const token = await world.deploy(TRC20_TEST_TOKEN, ALICE, 1_000);
  const input = {
    owner_address: tronTestAddress(ALICE),
    contract_address: token,
    function_selector: "transfer(address,uint256)",
    parameter: `${hexOf(BOB).slice(2).padStart(64, "0")}${"9".padStart(64, "0")}`,
    fee_limit: 100 * TRX,
    visible: true,
  };
  const answer = await world.ask("wallet/triggersmartcontract", input);
  const { raw_data_hex } = z.looseObject({ raw_data_hex: z.string() }).parse(answer["transaction"]);
  const raw = utils.deserializeTx.deserializeTransaction("TriggerSmartContract", raw_data_hex);
  const built = builtSchema.parse({
    ...z.looseObject({}).parse(answer["transaction"]),
    raw_data: raw,
    visible: false,
  });
  const id = await world.send(built, ALICE);
  await world.mine();
  expect(await world.info(id)).toMatchObject({ receipt: { result: "SUCCESS" } });
  const none = await world.ask("wallet/triggersmartcontract", {
    ...input,
    contract_address: tronTestAddress(BOB),
  });
  expect(none).toMatchObject({ result: { code: "CONTRACT_VALIDATE_ERROR" } });
});

it("a contract is shown with its interface and its code", async () => {
  const token = await world.deploy(TRC20_TEST_TOKEN, ALICE, 1_000);
  const value = { value: token, visible: true };
  expect(await world.ask("wallet/getcontract", value)).toMatchObject({
    contract_address: token,
    origin_address: tronTestAddress(ALICE),
    consume_user_resource_percent: 100,
    abi: {
      entrys: expect.arrayContaining([expect.objectContaining({ name: "decimals", type: "Function" })]),
    },
  });
  expect(await world.ask("wallet/getcontractinfo", value)).toMatchObject({
    smart_contract: { contract_address: token },
    runtimecode: expect.stringMatching(/^60/),
  });
  const nobody = { value: tronTestAddress(BOB), visible: true };
  expect(await world.ask("wallet/getcontract", nobody)).toEqual({});
});

it("validateaddress says whether a text is an address", async () => {
  const said = (address: string) => world.ask("wallet/validateaddress", { address });
  expect(await said(tronTestAddress(ALICE))).toEqual({ result: true, message: "Base58check format" });
  expect(await said(hexOf(ALICE))).toEqual({ result: true, message: "Hex string format" });
  const wrong = `${tronTestAddress(ALICE).slice(0, -1)}1`;
  for (const text of [wrong, "", "0x00"]) expect(await said(text)).toMatchObject({ result: false });
});

it("an account that is made empty costs 1.1 TRX, and cannot be made twice", async () => {
  const { transactionBuilder } = world.client;
  const create = () => transactionBuilder.createAccount(tronTestAddress(BOB), tronTestAddress(ALICE));
  const id = await world.send(await create(), ALICE);
  await world.mine();
  expect(await world.info(id)).toMatchObject({ fee: 1_100_000 });
  expect(await world.ask("wallet/getaccount", { address: hexOf(BOB) })).toHaveProperty("create_time");
  expect(await world.refusal(await create(), ALICE)).toContain("Account has existed");
});

it("a memo costs one TRX", async () => {
  const payment = await world.client.transactionBuilder.sendTrx(
    tronTestAddress(BOB),
    TRX,
    tronTestAddress(ALICE),
  );
  const noted = await world.client.transactionBuilder.addUpdateData(payment, "thanks", "utf8", {
    txLocal: true,
  });
  const id = await world.send(noted, ALICE);
  await world.mine();
  expect(await world.info(id)).toMatchObject({ fee: 2_100_000 });
});

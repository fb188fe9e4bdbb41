import { afterEach, beforeEach, expect, it } from "vitest";
import { TRC20_TEST_TOKEN, TRC721_TEST_COLLECTION } from "../testing/tron-contracts.ts";
import { startTronWorld, type TronWorld, tronTestAddress, tronTestKey } from "../testing/tron-world.ts";

const [ALICE, BOB] = [tronTestKey(1), tronTestKey(2)];
const TRX = 1_000_000;

let world: TronWorld;
let token: string;
beforeEach(async () => {
  world = await startTronWorld();
  await world.fund(ALICE, 10_000 * TRX);
  token = await world.deploy(TRC20_TEST_TOKEN, ALICE, 1_000);
});
afterEach(() => world[Symbol.asyncDispose]());

const transfer = (amount: number) => [
  { type: "address", value: tronTestAddress(BOB) },
  { type: "uint256", value: amount },
];

const call = async (amount: number, feeLimit = 100 * TRX, contract = token) => {
  const { transaction } = await world.client.transactionBuilder.triggerSmartContract(
    contract,
    "transfer(address,uint256)",
    { feeLimit },
    transfer(amount),
    tronTestAddress(ALICE),
  );
  return transaction;
};

/** Sends a call, and makes a block with it. @returns its result */
const landed = async (amount: number, feeLimit?: number) => {
  const id = await world.send(await call(amount, feeLimit), ALICE);
  await world.mine();
  return world.info(id);
};

it("a call that reverts is in a block, pays for what it used, and moves nothing", async () => {
  const before = await world.balance(ALICE);
  const info = await landed(1_001);
  expect(info).toMatchObject({ result: "FAILED", receipt: { result: "REVERT" } });
  expect(world.client.toUtf8(String(info["resMessage"]))).toBe("REVERT opcode executed");
  expect(info).not.toHaveProperty("log");
  expect(await world.balance(ALICE)).toBe(before - Number(info["fee"]));
  expect(await world.ask("wallet/gettransactionbyid", { value: info["id"] })).toMatchObject({
    ret: [{ contractRet: "REVERT" }],
  });
});

it("a call without enough energy pays all of its fee limit, and moves nothing", async () => {
  const info = await landed(5, TRX);
  expect(info).toMatchObject({
    result: "FAILED",
    fee: TRX,
    receipt: { result: "OUT_OF_ENERGY", energy_usage_total: 10_000, energy_fee: TRX },
  });
  const contract = await world.client.contract().at(token);
  expect(await contract["balanceOf"]?.(tronTestAddress(BOB)).call()).toBe(0n);
});

it("an estimate is what the call then uses, and a first token costs more than the next", async () => {
  const { transactionBuilder } = world.client;
  const estimate = async () =>
    (
      await transactionBuilder.estimateEnergy(
        token,
        "transfer(address,uint256)",
        {},
        transfer(5),
        tronTestAddress(ALICE),
      )
    ).energy_required;
  const first = await estimate();
  const dry = await transactionBuilder.triggerConstantContract(
    token,
    "transfer(address,uint256)",
    {},
    transfer(5),
    tronTestAddress(ALICE),
  );
  expect(dry.energy_used).toBe(first);
  expect(await landed(5)).toMatchObject({ receipt: { energy_usage_total: first } });
  const next = await estimate();
  expect(Number(first) - Number(next)).toBe(15_000);
  expect(await landed(5)).toMatchObject({ receipt: { energy_usage_total: next } });
});

it("a dry run that reverts says so and answers with the contract's error; one of no contract is refused", async () => {
  const run = (contract_address: string, path = "wallet/triggerconstantcontract") =>
    world.ask(path, {
      owner_address: tronTestAddress(ALICE),
      contract_address,
      function_selector: "transfer(address,uint256)",
      parameter: `${"0".repeat(24)}${"11".repeat(20)}${"0".repeat(60)}ffff`,
      visible: true,
    });
  expect(await run(token)).toMatchObject({
    result: { result: true, message: Buffer.from("REVERT opcode executed").toString("hex") },
    transaction: { ret: [{ ret: "FAILED" }] },
  });
  expect(await run(token, "wallet/estimateenergy")).toMatchObject({ result: { code: "CONTRACT_EXE_ERROR" } });
  const message = Buffer.from("Smart contract is not exist.").toString("hex");
  expect(await run(tronTestAddress(BOB))).toEqual({ result: { code: "CONTRACT_VALIDATE_ERROR", message } });
});

it("a fee limit above the network's is refused, and so is a call of what is no contract", async () => {
  expect(await world.refusal(await call(1, 15_000_000_001), ALICE)).toContain(
    "feeLimit must be >= 0 and <= 15000000000",
  );
  const transaction = await world.client.transactionBuilder.triggerSmartContract(
    tronTestAddress(BOB),
    "transfer(address,uint256)",
    { feeLimit: TRX, txLocal: true },
    transfer(1),
    tronTestAddress(ALICE),
  );
  expect(await world.refusal(transaction.transaction, ALICE)).toContain(
    "No contract or not a smart contract",
  );
});

it("a contract that does not end is stopped, and pays all of its fee limit", async () => {
  // the code stores the remaining energy, in a slot of that number, and jumps to its beginning
  const bytecode = "665b5a5a5560005660005260076019f3";
  const endless = await world.deploy({ abi: TRC20_TEST_TOKEN.abi, bytecode }, ALICE, 0);
  const id = await world.send(await call(1, 2_000 * TRX, endless), ALICE);
  await world.mine();
  expect(await world.info(id)).toMatchObject({
    result: "FAILED",
    receipt: { result: "OUT_OF_TIME", energy_usage_total: 20_000_000, energy_fee: 2_000 * TRX },
  });
});

it("a token that somebody else owns does not move, and one's own does", async () => {
  const collection = await world.deploy(TRC721_TEST_COLLECTION, ALICE, 1);
  const moved = async (from: string, number: number) => {
    const { transaction } = await world.client.transactionBuilder.triggerSmartContract(
      collection,
      "safeTransferFrom(address,address,uint256)",
      { feeLimit: 100 * TRX },
      [
        { type: "address", value: from },
        { type: "address", value: tronTestAddress(BOB) },
        { type: "uint256", value: number },
      ],
      tronTestAddress(ALICE),
    );
    const id = await world.send(transaction, ALICE);
    await world.mine();
    return world.info(id);
  };
  expect(await moved(tronTestAddress(ALICE), 2)).toMatchObject({ receipt: { result: "REVERT" } });
  expect(await moved(tronTestAddress(ALICE), 1)).toMatchObject({
    receipt: { result: "SUCCESS" },
    log: [{ topics: { length: 4 } }],
  });
});

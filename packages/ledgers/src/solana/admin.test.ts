import type { Address, KeyPairSigner } from "@solana/kit";
import { getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget";
import {
  getCreateAccountInstruction,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from "@solana-program/system";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type SolanaWorld, startSolanaWorld, testSigner } from "../testing/solana-world.ts";

const SOL = 1_000_000_000n;
const SOMEBODY = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV";

let world: SolanaWorld;
let [alice, bob]: KeyPairSigner[] = [];

beforeEach(async () => {
  world = await startSolanaWorld();
  [alice, bob] = await Promise.all([testSigner(1), testSigner(2)]);
  await world.fund(payer().address, 10n * SOL);
});

afterEach(() => world[Symbol.asyncDispose]());

const payer = (): KeyPairSigner => alice ?? expect.fail();
const receiver = () => bob?.address ?? expect.fail();

const pay = (amount = SOL) =>
  world.signed(payer(), [getTransferSolInstruction({ source: payer(), destination: receiver(), amount })]);

const received = async (): Promise<bigint> =>
  (await world.rpc.getBalance(receiver(), { commitment: "processed" }).send()).value;

it("a transaction that is dropped is in no block, and can be sent again", async () => {
  const signed = await pay();
  await world.send(signed);
  await world.admin("drop", { id: signed.signature });
  await world.mine();
  expect(await received()).toBe(0n);
  await world.send(signed);
  await world.mine();
  expect(await received()).toBe(SOL);
});

it("a transaction that is delayed lands so many blocks later", async () => {
  await world.send(await pay());
  await world.admin("delay", { blocks: 2 });
  await world.mine(2);
  expect(await received()).toBe(0n);
  await world.mine();
  expect(await received()).toBe(SOL);
});

it("arranged refusals have the operator's message and code, the given number of times", async () => {
  await world.admin("refuse", { count: 2, message: "node is out of memory" });
  const signed = await pay();
  for (let tries = 0; tries < 2; tries += 1) {
    expect(await world.refusal(signed)).toContain("node is out of memory");
  }
  await world.send(signed);
  await world.admin("refuse", { code: -32_005, message: "Node is behind by 200 slots" });
  expect(await world.refusal(signed)).toContain("behind by 200 slots");
});

it("a lost reply does not reach the caller, and the transaction still waits", async () => {
  await world.admin("lose-replies", { count: 1 });
  const signed = await pay();
  await expect(world.send(signed)).rejects.toThrow("fetch failed");
  await world.mine();
  expect(await received()).toBe(SOL);
});

it("a transaction that offers less for a compute unit than an operator asks waits until he asks less", async () => {
  await world.admin("set-fees", { computeUnitPrice: 1_000 });
  await world.send(await pay());
  await world.send(
    await world.signed(payer(), [
      getSetComputeUnitPriceInstruction({ microLamports: 1_000n }),
      getTransferSolInstruction({ source: payer(), destination: receiver(), amount: 3n * SOL }),
    ]),
  );
  await world.mine();
  expect(await received()).toBe(3n * SOL);
  await world.admin("set-fees", { computeUnitPrice: 0 });
  await world.mine();
  expect(await received()).toBe(4n * SOL);
});

it("a fork that is given up takes its blocks with it, and their transactions land again", async () => {
  await world.mine(40);
  const signed = await pay();
  await world.send(signed);
  await world.mine(3);
  const slot = await world.rpc.getSlot({ commitment: "processed" }).send();
  expect(await received()).toBe(SOL);
  await world.admin("reorg", { depth: 3 });
  expect(await received()).toBe(0n);
  expect((await world.rpc.getSignatureStatuses([signed.signature]).send()).value).toEqual([null]);
  await world.mine();
  expect(await received()).toBe(SOL);
  expect(await world.rpc.getSlot({ commitment: "processed" }).send()).toBeGreaterThan(slot);
  await world.mine(50);
  expect(await world.balance(receiver())).toBe(SOL);
});

it("the data of all accounts has a limit, and an abandoned fork frees its room", async () => {
  await world.fund(payer().address, 2_000n * SOL);
  const space = 10n * 1_024n * 1_024n;
  const rent = await world.rpc.getMinimumBalanceForRentExemption(space).send();
  const make = async (number: number): Promise<Address> => {
    const newAccount = await testSigner(100 + number);
    const programAddress = SYSTEM_PROGRAM_ADDRESS;
    await world.send(
      await world.signed(payer(), [
        getCreateAccountInstruction({ payer: payer(), newAccount, lamports: rent, space, programAddress }),
      ]),
    );
    return newAccount.address;
  };
  const isThere = async (of: Address): Promise<boolean> =>
    (await world.rpc.getBalance(of, { commitment: "processed" }).send()).value > 0n;
  for (let number = 0; number < 11; number += 1) await make(number);
  await world.mine();
  const [last, tooMuch] = [await make(11), await make(12)];
  await world.mine();
  expect([await isThere(last), await isThere(tooMuch)]).toEqual([true, false]);
  await world.admin("reorg", { depth: 1 });
  await world.admin("drop");
  const instead = await make(13);
  await world.mine();
  expect([await isThere(last), await isThere(instead)]).toEqual([false, true]);
});

it("a final block is undone by nothing", async () => {
  await world.mine(40);
  expect(await world.admin("reorg", { depth: 33 })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("is final") },
  });
  expect(await world.admin("reorg", { depth: 32 })).toMatchObject({ status: 200 });
  expect(await world.admin("reorg", { depth: 1 })).toMatchObject({ status: 400 });
});

it("the ledger's clock can be shifted, and blocks never get older", async () => {
  const time = async (): Promise<unknown> => {
    await world.mine();
    return world.rpc.getBlockTime(await world.rpc.getSlot({ commitment: "processed" }).send()).send();
  };
  const before = Number(await time());
  await world.admin("shift-clock", { seconds: 3_600 });
  expect(Number(await time())).toBe(before + 3_600);
  await world.admin("shift-clock", { seconds: -7_200 });
  expect(Number(await time())).toBe(before + 3_600);
});

it("the block timer can be held and started again", async () => {
  await using timed = await startSolanaWorld({ blockMs: 400 });
  const height = () => timed.rpc.getBlockHeight({ commitment: "processed" }).send();
  await timed.admin("hold");
  timed.clock.pass(4_000);
  expect(await height()).toBe(0n);
  await timed.admin("resume");
  timed.clock.pass(800);
  expect(await height()).toBe(2n);
});

it.each<[string, unknown, number, string]>([
  ["mine", { blocks: 0 }, 400, "Too small"],
  ["mine", { blocks: 2_001 }, 400, "Too big"],
  ["fund", { address: "0x00", amount: 1 }, 400, "is no Solana address"],
  ["fund", { address: SOMEBODY, amount: 0 }, 400, "is nothing"],
  ["fund", { address: SOMEBODY, amount: 890_879 }, 400, "insufficient funds for rent"],
  ["fund", { address: SOMEBODY, amount: "999999999999999999" }, 400, "custom program error: 0x1"],
  ["drop", { id: "short" }, 400, "is no signature"],
  ["drop", { id: "1".repeat(64) }, 404, "does not wait"],
  ["delay", {}, 400, "blocks"],
  ["refuse", { count: 1 }, 400, "message"],
  ["set-fees", { computeUnitPrice: -1 }, 400, "computeUnitPrice"],
  ["explode", {}, 404, "there is no action explode"],
])("an order that makes no sense is refused: %s %j", async (action, input, status, words) => {
  const answer = await world.admin(action, input);
  expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(words) } });
});

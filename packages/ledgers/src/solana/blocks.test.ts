import { address, type KeyPairSigner, type Signature } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import {
  BLOCKS_TO_FINALITY,
  type SolanaWorld,
  startSolanaWorld,
  testSigner,
} from "../testing/solana-world.ts";

const SOL = 1_000_000_000n;

let world: SolanaWorld;
let [alice, bob]: KeyPairSigner[] = [];

beforeEach(async () => {
  world = await startSolanaWorld();
  [alice, bob] = await Promise.all([testSigner(1), testSigner(2)]);
});

afterEach(() => world[Symbol.asyncDispose]());

const payer = (): KeyPairSigner => alice ?? expect.fail();
const receiver = () => bob?.address ?? expect.fail();

const pay = (amount: bigint) =>
  world.signed(payer(), [
    getTransferSolInstruction({ source: payer(), destination: receiver(), amount }),
    {
      programAddress: address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"),
      data: new TextEncoder().encode(`pays ${amount}`),
    },
  ]);

const slotsSchema = z.object({ result: z.array(z.number()) });

it("slots are skipped, heights are not", async () => {
  await world.mine(200);
  const { result: slots } = slotsSchema.parse(await world.call("getBlocks", 0, 1_000));
  const finalHeight = 200 - BLOCKS_TO_FINALITY;
  expect(slots).toHaveLength(finalHeight + 1);
  expect(slots.at(-1)).toBeGreaterThan(finalHeight);
  expect(await world.rpc.getBlockHeight({ commitment: "finalized" }).send()).toBe(BigInt(finalHeight));
  expect(await world.rpc.getSlot({ commitment: "finalized" }).send()).toBe(BigInt(slots.at(-1) ?? 0));
  const at = slots.findIndex((slot, index) => index > 0 && slot > (slots[index - 1] ?? 0) + 1);
  const [before = 0, after = 0] = slots.slice(at - 1, at + 1);
  expect(await world.call("getBlock", before + 1)).toMatchObject({ error: { code: -32_007 } });
  const block = await world.rpc.getBlock(BigInt(after), { maxSupportedTransactionVersion: 0 }).send();
  const parent = await world.rpc.getBlock(BigInt(before), { maxSupportedTransactionVersion: 0 }).send();
  expect(block).toMatchObject({
    parentSlot: BigInt(before),
    previousBlockhash: parent?.blockhash,
    blockHeight: (parent?.blockHeight ?? 0n) + 1n,
  });
});

it("a block is processed, then confirmed, then final, and answers go by what was asked for", async () => {
  await world.fund(payer().address, 10n * SOL);
  const { signature } = await pay(SOL).then(async (signed) => ({ signature: await world.send(signed) }));
  const seen = async () => {
    const status = (await world.rpc.getSignatureStatuses([signature]).send()).value[0];
    const balances = await Promise.all(
      (["processed", "confirmed", "finalized"] as const).map(
        async (commitment) => (await world.rpc.getBalance(receiver(), { commitment }).send()).value / SOL,
      ),
    );
    return [status?.confirmationStatus, status?.confirmations, ...balances];
  };
  expect(await seen()).toEqual([undefined, undefined, 0n, 0n, 0n]);
  await world.mine();
  expect(await seen()).toEqual(["processed", 0n, 1n, 0n, 0n]);
  await world.mine();
  expect(await seen()).toEqual(["confirmed", 1n, 1n, 1n, 0n]);
  await world.mine(BLOCKS_TO_FINALITY - 1);
  expect(await seen()).toEqual(["finalized", null, 1n, 1n, 1n]);
});

it("a blockhash is valid for 150 further blocks, as the SDK sees it", async () => {
  const { value } = await world.rpc.getLatestBlockhash({ commitment: "processed" }).send();
  expect(value.lastValidBlockHeight).toBe(150n);
  const isValid = async () =>
    (await world.rpc.isBlockhashValid(value.blockhash, { commitment: "processed" }).send()).value;
  await world.mine(150);
  expect(await isValid()).toBe(true);
  await world.mine();
  expect(await isValid()).toBe(false);
});

it("the transactions of an address are listed from the latest on, page by page, with their memos", async () => {
  await world.fund(payer().address, 20n * SOL);
  const sent: Signature[] = [];
  for (const amount of [1n, 2n, 3n, 4n]) sent.push(await world.send(await pay(amount * SOL)));
  await world.mine(1 + BLOCKS_TO_FINALITY);
  const list = async (options: object) => {
    const found = await world.rpc.getSignaturesForAddress(receiver(), options).send();
    return found.map(({ signature }) => sent.indexOf(signature));
  };
  expect(await list({})).toEqual([3, 2, 1, 0]);
  expect(await list({ limit: 2 })).toEqual([3, 2]);
  expect(await list({ before: sent[2] })).toEqual([1, 0]);
  expect(await list({ until: sent[1] })).toEqual([3, 2]);
  expect(await list({ before: sent[3], until: sent[0], limit: 1 })).toEqual([2]);
  const [first] = await world.rpc.getSignaturesForAddress(receiver(), { limit: 1 }).send();
  expect(first).toMatchObject({ memo: "[15] pays 4000000000", err: null, confirmationStatus: "finalized" });
});

it("a block lists its transactions whole, by their accounts, by signature, or not at all", async () => {
  await world.fund(payer().address, 10n * SOL);
  const signature = await world.send(await pay(SOL));
  await world.mine(1 + BLOCKS_TO_FINALITY);
  const [{ slot } = { slot: 0n }] = await world.rpc.getSignaturesForAddress(receiver()).send();
  const block = (options: object) => world.call("getBlock", Number(slot), options);
  expect(await block({ maxSupportedTransactionVersion: 0 })).toMatchObject({
    result: {
      transactions: [{ version: 0, transaction: { signatures: [signature] }, meta: { fee: 5_000 } }],
    },
  });
  expect(await block({ transactionDetails: "signatures", rewards: false })).toMatchObject({
    result: { signatures: [signature] },
  });
  expect(await block({ transactionDetails: "accounts", maxSupportedTransactionVersion: 0 })).toMatchObject({
    result: {
      transactions: [
        {
          version: 0,
          transaction: {
            signatures: [signature],
            accountKeys: expect.arrayContaining([
              { pubkey: payer().address, writable: true, signer: true, source: "transaction" },
              { pubkey: receiver(), writable: true, signer: false, source: "transaction" },
            ]),
          },
          meta: { err: null, fee: 5_000, postTokenBalances: [] },
        },
      ],
    },
  });
  expect(await block({ transactionDetails: "accounts" })).toMatchObject({ error: { code: -32_015 } });
  expect(await block({ transactionDetails: "none" })).not.toHaveProperty("result.transactions");
  expect(await block({})).toMatchObject({ error: { code: -32_015 } });
  expect(await block({ encoding: "jsonParsed" })).toMatchObject({
    error: { code: -32_602, message: expect.stringContaining("parses no instructions") },
  });
  expect(await world.call("getBlock", 1_000_000)).toMatchObject({ error: { code: -32_004 } });
});

it("the least price of a compute unit is shown for the last 150 blocks", async () => {
  await world.admin("set-fees", { computeUnitPrice: 25 });
  await world.mine(200);
  const fees = await world.rpc.getRecentPrioritizationFees([payer().address]).send();
  expect(fees).toHaveLength(150);
  expect(new Set(fees.map(({ prioritizationFee }) => prioritizationFee))).toEqual(new Set([25n]));
});

it("a simulation says what would happen, and changes nothing", async () => {
  await world.fund(payer().address, 10n * SOL);
  const { wire } = await pay(SOL);
  const { value } = await world.rpc
    .simulateTransaction(wire, {
      encoding: "base64",
      commitment: "processed",
      accounts: { encoding: "base64", addresses: [receiver()] },
    })
    .send();
  expect(value).toMatchObject({ err: null, accounts: [{ lamports: SOL }] });
  expect(value.unitsConsumed).toBeGreaterThan(150n);
  await world.mine(1 + BLOCKS_TO_FINALITY);
  expect(await world.balance(receiver())).toBe(0n);
  const { wire: tooMuch } = await pay(11n * SOL);
  expect(
    await world.call("simulateTransaction", tooMuch, { encoding: "base64", replaceRecentBlockhash: true }),
  ).toMatchObject({ result: { value: { err: { InstructionError: [0, { Custom: 1 }] } } } });
});

it("the fee of a message is shown while its blockhash is valid", async () => {
  await world.fund(payer().address, 10n * SOL);
  const { wire } = await pay(SOL);
  const message = Buffer.from(wire, "base64").subarray(65).toString("base64");
  const fee = () => world.call("getFeeForMessage", message, { commitment: "processed" });
  expect(await fee()).toMatchObject({ result: { value: 5_000 } });
  await world.mine(151);
  expect(await fee()).toMatchObject({ result: { value: null } });
});

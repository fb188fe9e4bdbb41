import {
  type Address,
  address,
  appendTransactionMessageInstruction,
  assertIsTransactionWithBlockhashLifetime,
  createTransactionMessage,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from "@solana-program/compute-budget";
import { getCreateAccountInstruction, getTransferSolInstruction } from "@solana-program/system";
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstructionAsync,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from "@solana-program/token";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  BLOCKS_TO_FINALITY,
  type SolanaWorld,
  startSolanaWorld,
  testSigner,
} from "../testing/solana-world.ts";

const TOKEN_2022 = address("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
const SOL = 1_000_000_000n;

let world: SolanaWorld;
let alice: KeyPairSigner;
let bob: KeyPairSigner;
let mint: KeyPairSigner;

beforeEach(async () => {
  world = await startSolanaWorld();
  [alice, bob, mint] = await Promise.all([testSigner(1), testSigner(2), testSigner(3)]);
  await world.fund(alice.address, 10n * SOL);
});

afterEach(() => world[Symbol.asyncDispose]());

const transfer = (amount: bigint) =>
  getTransferSolInstruction({ source: alice, destination: bob.address, amount });

const unitPrice = (microLamports: bigint): Instruction =>
  getSetComputeUnitPriceInstruction({ microLamports });

const MEMO: Instruction = {
  programAddress: address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"),
  data: new TextEncoder().encode("paid"),
};

it("a transfer of the native coin lands, and costs 5000 lamports", async () => {
  const signature = await world.land(alice, [transfer(2n * SOL)]);
  expect(await world.balance(bob.address)).toBe(2n * SOL);
  expect(await world.balance(alice.address)).toBe(8n * SOL - 5_000n);
  const found = await world.rpc
    .getTransaction(signature, { encoding: "base64", maxSupportedTransactionVersion: 0 })
    .send();
  expect(found?.meta).toMatchObject({ err: null, fee: 5_000n, computeUnitsConsumed: 150n });
  expect(found?.meta?.preBalances).toEqual([10n * SOL, 0n, 1n]);
  expect(found?.meta?.postBalances).toEqual([8n * SOL - 5_000n, 2n * SOL, 1n]);
  const { messageBytes } = getTransactionDecoder().decode(
    getBase64Encoder().encode(found?.transaction[0] ?? ""),
  );
  const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(messageBytes);
  expect(staticAccounts.slice(0, 2)).toEqual([alice.address, bob.address]);
});

it("a sender that wants to be first pays for each compute unit", async () => {
  const message = [
    getSetComputeUnitLimitInstruction({ units: 1_000 }),
    getSetComputeUnitPriceInstruction({ microLamports: 2_500_000n }),
    transfer(SOL),
  ];
  const signature = await world.land(alice, message);
  const found = await world.rpc
    .getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 })
    .send();
  expect(found?.meta?.fee).toBe(7_500n);
});

it.each<[string, (transfer: Instruction) => readonly Instruction[]]>([
  ["that offers nothing", (paid) => [paid]],
  ["that offers a price and sets no limit", (paid) => [unitPrice(777_777n), paid]],
  ["that calls a program which is none of the runtime's own", (paid) => [unitPrice(777_777n), paid, MEMO]],
  ["that sets a limit", (paid) => [unitPrice(1n), getSetComputeUnitLimitInstruction({ units: 1_234 }), paid]],
])("the fee of a message is shown as the engine takes it: of one %s", async (_, instructions) => {
  const signed = await world.signed(alice, instructions(transfer(SOL)));
  const message = Buffer.from(signed.wire, "base64").subarray(65).toString("base64");
  const answer = await world.call("getFeeForMessage", message, { commitment: "processed" });
  await world.send(signed);
  await world.mine(1 + BLOCKS_TO_FINALITY);
  const options = { encoding: "json", maxSupportedTransactionVersion: 0 } as const;
  const found = await world.rpc.getTransaction(signed.signature, options).send();
  expect(answer).toMatchObject({ result: { value: Number(found?.meta?.fee) } });
});

it("the SDK sends a transaction and hears by WebSocket that it is confirmed", async () => {
  const { value } = await world.rpc.getLatestBlockhash({ commitment: "confirmed" }).send();
  const transaction = await pipe(
    createTransactionMessage({ version: "legacy" }),
    (message) => setTransactionMessageFeePayerSigner(alice, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(value, message),
    (message) => appendTransactionMessageInstruction(transfer(SOL), message),
    signTransactionMessageWithSigners,
  );
  assertIsTransactionWithBlockhashLifetime(transaction);
  const { rpc, subscriptions: rpcSubscriptions } = world;
  const send = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
  const ended: string[] = [];
  const sent = send(transaction, { commitment: "confirmed" }).then(() => ended.push("confirmed"));
  await expect
    .poll(async () => {
      await world.mine();
      return ended;
    })
    .toEqual(["confirmed"]);
  await sent;
});

/** Makes a mint of Alice's, and a hundred tokens in her account. */
const makeToken = async (program: Address): Promise<void> => {
  const space = BigInt(getMintSize());
  const rent = await world.rpc.getMinimumBalanceForRentExemption(space).send();
  const [account] = await findAssociatedTokenPda({
    mint: mint.address,
    owner: alice.address,
    tokenProgram: program,
  });
  await world.land(alice, [
    getCreateAccountInstruction({
      payer: alice,
      newAccount: mint,
      lamports: rent,
      space,
      programAddress: program,
    }),
    getInitializeMint2Instruction(
      { mint: mint.address, decimals: 2, mintAuthority: alice.address },
      { programAddress: program },
    ),
    await getCreateAssociatedTokenIdempotentInstructionAsync({
      payer: alice,
      owner: alice.address,
      mint: mint.address,
      tokenProgram: program,
    }),
    getMintToInstruction(
      { mint: mint.address, token: account, mintAuthority: alice, amount: 10_000n },
      { programAddress: program },
    ),
  ]);
};

it.each<[string, Address]>([
  ["the token program", TOKEN_PROGRAM_ADDRESS],
  ["Token-2022", TOKEN_2022],
])("tokens of %s move to an account that is made for them", async (_, program) => {
  await makeToken(program);
  const at = (owner: Address) => findAssociatedTokenPda({ mint: mint.address, owner, tokenProgram: program });
  const [[source], [destination]] = await Promise.all([at(alice.address), at(bob.address)]);
  const signature = await world.land(alice, [
    await getCreateAssociatedTokenIdempotentInstructionAsync({
      payer: alice,
      owner: bob.address,
      mint: mint.address,
      tokenProgram: program,
    }),
    getTransferCheckedInstruction(
      { source, mint: mint.address, destination, authority: alice, amount: 1_234n, decimals: 2 },
      { programAddress: program },
    ),
  ]);
  const held = await world.rpc
    .getTokenAccountsByOwner(bob.address, { mint: mint.address }, { encoding: "jsonParsed" })
    .send();
  expect(held.value).toMatchObject([
    {
      pubkey: destination,
      account: {
        data: { parsed: { info: { tokenAmount: { amount: "1234", decimals: 2, uiAmountString: "12.34" } } } },
      },
    },
  ]);
  const found = await world.rpc
    .getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 0 })
    .send();
  expect(found?.meta?.preTokenBalances).toMatchObject([
    { owner: alice.address, uiTokenAmount: { amount: "10000" } },
  ]);
  expect(found?.meta?.postTokenBalances).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ owner: alice.address, mint: mint.address, programId: program }),
      expect.objectContaining({
        owner: bob.address,
        uiTokenAmount: expect.objectContaining({ amount: "1234" }),
      }),
    ]),
  );
});

it("the faucet answers requestAirdrop, twice in one block too", async () => {
  for (const _ of ["once", "again"]) {
    await world.rpc.requestAirdrop(bob.address, lamports(SOL)).send();
  }
  await world.mine(33);
  expect(await world.balance(bob.address)).toBe(2n * SOL);
});

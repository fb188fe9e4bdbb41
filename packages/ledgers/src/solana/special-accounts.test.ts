import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit";
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
import { LiteSVM } from "litesvm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  BLOCKS_TO_FINALITY,
  type SolanaWorld,
  startSolanaWorld,
  testSigner,
} from "../testing/solana-world.ts";

const SOL = 1_000_000_000n;
const PAID = 1_000_000n;
/** its data changes with each block */
const CLOCK = "SysvarC1ock11111111111111111111111111111111";
const INCINERATOR = address("1nc1nerator11111111111111111111111111111111");

let world: SolanaWorld;
let [alice, bob, mint]: readonly KeyPairSigner[] = [];

beforeEach(async () => {
  world = await startSolanaWorld();
  [alice, bob, mint] = await Promise.all([testSigner(1), testSigner(2), testSigner(3)]);
  await world.fund(payer().address, 10n * SOL);
});

afterEach(() => world[Symbol.asyncDispose]());

const payer = (): KeyPairSigner => alice ?? expect.fail();
const other = (): KeyPairSigner => bob ?? expect.fail();
const token = (): KeyPairSigner => mint ?? expect.fail();

const pay = (destination: Address, amount = PAID): Instruction =>
  getTransferSolInstruction({ source: payer(), destination, amount });

const holdingOf = async (owner: Address): Promise<Address> => {
  const [found] = await findAssociatedTokenPda({
    mint: token().address,
    owner,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  return found;
};

/** Makes a mint, and a hundred tokens for Alice. */
const makeToken = async (): Promise<void> => {
  const space = BigInt(getMintSize());
  await world.land(payer(), [
    getCreateAccountInstruction({
      payer: payer(),
      newAccount: token(),
      lamports: await world.rpc.getMinimumBalanceForRentExemption(space).send(),
      space,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({
      mint: token().address,
      decimals: 2,
      mintAuthority: payer().address,
    }),
    await getCreateAssociatedTokenIdempotentInstructionAsync({
      payer: payer(),
      owner: payer().address,
      mint: token().address,
    }),
    getMintToInstruction({
      mint: token().address,
      token: await holdingOf(payer().address),
      mintAuthority: payer(),
      amount: 10_000n,
    }),
  ]);
};

const moveTokens = async (): Promise<void> => {
  await world.land(payer(), [
    await getCreateAssociatedTokenIdempotentInstructionAsync({
      payer: payer(),
      owner: other().address,
      mint: token().address,
    }),
    getTransferCheckedInstruction({
      source: await holdingOf(payer().address),
      mint: token().address,
      destination: await holdingOf(other().address),
      authority: payer(),
      amount: 10n,
      decimals: 2,
    }),
  ]);
};

/** The account of an address, as a node shows it. */
const standing = async (at: Address) => {
  const { value } = await world.rpc.getAccountInfo(at, { encoding: "base64" }).send();
  if (value === null) return undefined;
  const { lamports: held, owner, executable, data } = value;
  return { lamports: held, owner, executable, data: data[0] };
};

const standingIn = (svm: LiteSVM, at: Address) => {
  const found = svm.getAccount(at);
  if (!found.exists || found.lamports === 0n) return undefined;
  const { lamports: held, programAddress: owner, executable, data } = found;
  return { lamports: held, owner, executable, data: Buffer.from(data).toString("base64") };
};

/** Pays in a separate runtime. @returns whether the runtime allowed it, and the account afterwards */
const paidAlone = async (to: Address) => {
  const svm = new LiteSVM();
  svm.airdrop(payer().address, lamports(10n * SOL));
  const message = await pipe(
    createTransactionMessage({ version: 0 }),
    (each) => setTransactionMessageFeePayerSigner(payer(), each),
    (each) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: svm.latestBlockhash(), lastValidBlockHeight: 1n },
        each,
      ),
    (each) => appendTransactionMessageInstructions([pay(to)], each),
    signTransactionMessageWithSigners,
  );
  return { isRefused: "err" in svm.sendTransaction(message), left: standingIn(svm, to) };
};

/** Pays on the ledger: by simulation, by preflight, and then for real. */
const paidHere = async (to: Address): Promise<boolean> => {
  const signed = await world.signed(payer(), [pay(to)]);
  const tried = await world.rpc
    .simulateTransaction(signed.wire, { encoding: "base64", commitment: "processed" })
    .send();
  const isRefused = await world.send(signed).then(
    () => false,
    () => true,
  );
  expect(isRefused).toBe(tried.value.err !== null);
  await world.mine(1 + BLOCKS_TO_FINALITY);
  return isRefused;
};

describe("an account that exists from the beginning", () => {
  it.each<[string, string]>([
    ["the Token program", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"],
    ["Token-2022", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"],
    ["the Associated Token program", "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"],
    ["the Memo program", "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"],
    ["the first Memo program", "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"],
    ["the Vote program", "Vote111111111111111111111111111111111111111"],
    ["the Compute Budget program", "ComputeBudget111111111111111111111111111111"],
    ["a loader", "BPFLoaderUpgradeab1e11111111111111111111111"],
    ["the clock", CLOCK],
    ["the rent", "SysvarRent111111111111111111111111111111111"],
  ])("keeps its content when it is paid: %s, as in the runtime alone", async (_, text) => {
    await makeToken();
    const to = address(text);
    const before = await standing(to);
    const alone = await paidAlone(to);
    const isRefused = await paidHere(to);
    const after = await standing(to);
    expect(isRefused).toBe(alone.isRefused);
    const changed = text === CLOCK ? { data: after?.data } : {};
    expect(after).toEqual(alone.left && { ...alone.left, ...changed });
    const lamportsAfter = (before?.lamports ?? 0n) + (isRefused ? 0n : PAID);
    expect(after).toEqual(before && { ...before, ...changed, lamports: lamportsAfter });
    // tokens can be transferred with any kind of payment
    await moveTokens();
    expect(
      (await world.rpc.getTokenAccountBalance(await holdingOf(other().address)).send()).value.amount,
    ).toBe("10");
  });

  it("is charged the base fee when it is paid, and no more", async () => {
    const before = await world.balance(payer().address);
    const signature = await world.land(payer(), [pay(TOKEN_PROGRAM_ADDRESS)]);
    const options = { encoding: "json", maxSupportedTransactionVersion: 0 } as const;
    const found = await world.rpc.getTransaction(signature, options).send();
    expect(found?.meta?.fee).toBe(5_000n);
    expect(await world.balance(payer().address)).toBe(before - PAID - 5_000n);
  });

  it("keeps its content when the block that paid it is undone, and when only a simulation paid it", async () => {
    const before = await standing(TOKEN_PROGRAM_ADDRESS);
    const signed = await world.signed(payer(), [pay(TOKEN_PROGRAM_ADDRESS)]);
    await world.rpc.simulateTransaction(signed.wire, { encoding: "base64", commitment: "processed" }).send();
    expect(await standing(TOKEN_PROGRAM_ADDRESS)).toEqual(before);
    await world.send(signed);
    await world.mine();
    const held = async () => world.call("getBalance", TOKEN_PROGRAM_ADDRESS, { commitment: "processed" });
    expect(await held()).toMatchObject({ result: { value: Number((before?.lamports ?? 0n) + PAID) } });
    await world.admin("reorg", { depth: 1 });
    expect(await held()).toMatchObject({ result: { value: Number(before?.lamports) } });
  });
});

describe("an account that the ledger made", () => {
  it.each<[string, () => Address | Promise<Address>]>([
    ["a mint", () => token().address],
    ["a token account", () => holdingOf(payer().address)],
  ])("keeps owner and data when it is paid: %s", async (_, place) => {
    await makeToken();
    const to = await place();
    const before = await standing(to);
    expect(await paidHere(to)).toBe(false);
    expect(await standing(to)).toEqual(before && { ...before, lamports: before.lamports + PAID });
    await moveTokens();
  });

  it("is deleted when it is emptied, and is created again when it is paid again", async () => {
    await world.fund(other().address, SOL);
    const away = (amount: bigint) =>
      getTransferSolInstruction({ source: other(), destination: payer().address, amount });
    await world.land(other(), [away(SOL - 5_000n)]);
    expect(await standing(other().address)).toBeUndefined();
    await world.land(payer(), [pay(other().address, SOL)]);
    expect((await standing(other().address))?.lamports).toBe(SOL);
  });

  it("may be left neither below its rent nor created below it", async () => {
    const rent = await world.rpc.getMinimumBalanceForRentExemption(0n).send();
    await world.fund(other().address, SOL);
    const left = getTransferSolInstruction({
      source: other(),
      destination: payer().address,
      amount: SOL - 5_000n - (rent - 1n),
    });
    expect(await world.refusal(await world.signed(other(), [left]))).toContain("rent");
    const third = await testSigner(4);
    const little = await world.signed(payer(), [pay(third.address, rent - 1n)]);
    expect(await world.refusal(little)).toContain("rent");
    await world.land(payer(), [pay(third.address, rent)]);
    expect((await standing(third.address))?.lamports).toBe(rent);
  });

  it("loses all lamports at the end of each block: the incinerator's", async () => {
    const signature = await world.land(payer(), [pay(INCINERATOR, SOL)]);
    const options = { encoding: "json", maxSupportedTransactionVersion: 0 } as const;
    const found = await world.rpc.getTransaction(signature, options).send();
    expect([found?.meta?.err, found?.meta?.fee, found?.meta?.postBalances[1]]).toEqual([null, 5_000n, SOL]);
    expect(await standing(INCINERATOR)).toBeUndefined();
  });
});

import {
  Asset,
  type FeeBumpTransaction,
  type Keypair,
  Memo,
  Operation,
  TransactionBuilder,
  xdr,
} from "@stellar/stellar-sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  answerIn,
  type BuiltTransaction,
  lumens,
  PASSPHRASE,
  type StellarWorld,
  startStellarWorld,
  stellarKey,
} from "../testing/stellar-world.ts";

const [ALICE, BOB, POOR, STRANGER] = [stellarKey(1), stellarKey(2), stellarKey(3), stellarKey(4)];
const LUMEN = 10_000_000;
/** 20 November 2026, where the tests' clock stands */
const NOW = 1_795_132_800;

let world: StellarWorld;

beforeAll(async () => {
  world = await startStellarWorld();
  await world.fund(ALICE, 100 * LUMEN);
  await world.fund(BOB, 10 * LUMEN);
  await world.fund(POOR, LUMEN);
});

afterAll(() => world[Symbol.asyncDispose]());

const pay = (): xdr.Operation[] => [lumens(BOB, "1")];

describe("a transaction is refused by its code", () => {
  it.each<[string, string, () => Promise<BuiltTransaction>]>([
    [
      "whose number was used",
      "tx_bad_seq",
      async () => {
        const sequence = (await world.horizon.loadAccount(ALICE.publicKey())).sequenceNumber();
        return world.signed(ALICE, pay(), { sequence: (BigInt(sequence) - 1n).toString() });
      },
    ],
    [
      "whose number comes later",
      "tx_bad_seq",
      async () => {
        const sequence = (await world.horizon.loadAccount(ALICE.publicKey())).sequenceNumber();
        return world.signed(ALICE, pay(), { sequence: (BigInt(sequence) + 1n).toString() });
      },
    ],
    [
      "of an account that is not there",
      "tx_no_source_account",
      () => world.signed(STRANGER, pay(), { sequence: "1" }),
    ],
    ["that nobody signed", "tx_bad_auth", () => world.build(ALICE, pay())],
    [
      "that somebody else signed",
      "tx_bad_auth",
      async () => {
        const transaction = await world.build(ALICE, pay());
        transaction.sign(BOB);
        return transaction;
      },
    ],
    [
      "that was signed for another network",
      "tx_bad_auth",
      () => world.signed(ALICE, pay(), { passphrase: "Another Network" }),
    ],
    [
      "that somebody signed who need not",
      "tx_bad_auth_extra",
      async () => {
        const transaction = await world.signed(ALICE, pay());
        transaction.sign(BOB);
        return transaction;
      },
    ],
    [
      "that is signed twice by the same key",
      "tx_bad_auth_extra",
      async () => {
        const transaction = await world.signed(ALICE, pay());
        transaction.sign(ALICE);
        return transaction;
      },
    ],
    [
      "whose time has not come",
      "tx_too_early",
      () => world.signed(ALICE, pay(), { timebounds: { minTime: NOW + 60, maxTime: NOW + 120 } }),
    ],
    [
      "whose time is over",
      "tx_too_late",
      () => world.signed(ALICE, pay(), { timebounds: { minTime: 0, maxTime: NOW - 1 } }),
    ],
    [
      "whose time is over before two ledgers close",
      "tx_too_late",
      () => world.signed(ALICE, pay(), { timebounds: { minTime: 0, maxTime: NOW + 9 } }),
    ],
    [
      "whose fee is below the minimum",
      "tx_insufficient_fee",
      () => world.signed(ALICE, pay(), { fee: "99" }),
    ],
    ["of an account that cannot pay the fee", "tx_insufficient_balance", () => world.signed(POOR, pay())],
    ["without an operation", "tx_missing_operation", () => world.signed(ALICE, [])],
  ])("%s: %s", async (_, code, make) => {
    expect(await world.codes(await make())).toEqual({ transaction: code });
  });

  it("with a hint that is not its key's: tx_bad_auth", async () => {
    const transaction = await world.build(ALICE, pay());
    const signature = ALICE.sign(transaction.hash());
    transaction.signatures.push(new xdr.DecoratedSignature({ hint: BOB.signatureHint(), signature }));
    expect(await world.codes(transaction)).toEqual({ transaction: "tx_bad_auth" });
  });

  it("whose operation is another account's, which did not sign: op_bad_auth", async () => {
    const theft = Operation.payment({
      source: BOB.publicKey(),
      destination: ALICE.publicKey(),
      asset: Asset.native(),
      amount: "1",
    });
    expect(await world.codes(await world.signed(ALICE, [theft]))).toEqual({
      transaction: "tx_failed",
      operations: ["op_bad_auth"],
    });
  });

  it("whose signed amount was altered: tx_bad_auth", async () => {
    const signed = await world.signed(ALICE, pay());
    const altered = await world.build(ALICE, [lumens(BOB, "2")]);
    altered.signatures.push(...signed.signatures);
    expect(await world.codes(altered)).toEqual({ transaction: "tx_bad_auth" });
  });

  it("whose signed memo was altered: tx_bad_auth", async () => {
    const signed = await world.signed(ALICE, pay(), { memo: Memo.id("1") });
    const altered = await world.build(ALICE, pay(), { memo: Memo.id("2") });
    altered.signatures.push(...signed.signatures);
    expect(await world.codes(altered)).toEqual({ transaction: "tx_bad_auth" });
  });
});

/** Horizon's answer to an envelope in base64, sent as the SDK sends it. */
const post = async (tx: string): Promise<{ readonly status: number; readonly body: unknown }> => {
  const answer = await fetch(`${world.url}/transactions`, {
    method: "POST",
    body: new URLSearchParams({ tx }),
  });
  return { status: answer.status, body: await answer.json() };
};

describe("an envelope is not read", () => {
  it.each<[string, () => Promise<Buffer>, string]>([
    ["that ends too early", async () => (await bytes()).subarray(0, -4), "outside the boundary"],
    [
      "with bytes behind it",
      async () => Buffer.concat([await bytes(), Buffer.alloc(4)]),
      "not entirely consumed",
    ],
    ["of no kind", async () => Buffer.from([0, 0, 0, 9, 0, 0, 0, 0]), "Bad union switch"],
    ["that is empty", async () => Buffer.alloc(0), "outside the boundary"],
  ])("%s", async (_, make, reason) => {
    expect(await post((await make()).toString("base64"))).toMatchObject({
      status: 400,
      body: { title: "Transaction Malformed", extras: { reason: expect.stringContaining(reason) } },
    });
  });

  const bytes = async (): Promise<Buffer> => (await world.signed(ALICE, pay())).toEnvelope().toXDR();

  it.each<[string, () => xdr.Operation, string]>([
    ["inflation", () => Operation.inflation({}), "inflation"],
    [
      "a claim",
      () => Operation.claimClaimableBalance({ balanceId: "00000000".padEnd(72, "1") }),
      "claimClaimableBalance",
    ],
  ])("whose operation this ledger does not carry out: %s", async (_, operation, words) => {
    const transaction = await world.signed(ALICE, [operation()]);
    expect(await post(transaction.toXDR())).toMatchObject({
      status: 400,
      body: { extras: { reason: `this simulated ledger does not carry out ${words}` } },
    });
  });

  it("of version 0", async () => {
    const envelope = Buffer.concat([Buffer.alloc(4), (await bytes()).subarray(8)]);
    expect(await post(envelope.toString("base64"))).toMatchObject({
      status: 400,
      body: { extras: { reason: "this simulated ledger does not carry out envelopeTypeTxV0" } },
    });
  });
});

describe("a submission is refused", () => {
  it.each<[string, RequestInit, number, string]>([
    ["without an envelope", { body: new URLSearchParams({ xt: "" }) }, 400, "tx: is not set"],
    ["that is too long", { body: new URLSearchParams({ tx: "A".repeat(65_536) }) }, 400, "tx: is longer"],
    ["in JSON", { body: "{}", headers: { "content-type": "application/json" } }, 415, "Unsupported Media"],
    ["that is no base64", { body: new URLSearchParams({ tx: "?!" }) }, 400, "it is no base64"],
  ])("%s", async (_, request, status, words) => {
    for (const path of ["transactions", "transactions_async"]) {
      const answer = await fetch(`${world.url}/${path}`, { method: "POST", ...request });
      expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(words)]);
    }
  });
});

describe("one transaction of an account waits at a time", () => {
  it("the same envelope again is a duplicate, and another must wait", async () => {
    const transaction = await world.signed(ALICE, pay());
    expect(await world.status(transaction)).toBe("PENDING");
    expect(await world.status(transaction)).toBe("DUPLICATE");
    const next = await world.signed(ALICE, pay(), { sequence: transaction.sequence });
    expect(await world.status(next)).toBe("TRY_AGAIN_LATER");
    await expect(world.horizon.submitAsyncTransaction(next)).rejects.toThrow("503");
    await world.mine();
    expect(await world.status(next)).toBe("PENDING");
    await world.mine();
  });

  it("a transaction in a ledger is not taken again for ten ledgers, and then its number is used", async () => {
    const transaction = await world.signed(ALICE, pay());
    await world.status(transaction);
    await world.mine();
    expect(await world.status(transaction)).toBe("TRY_AGAIN_LATER");
    await world.mine(9);
    expect(await world.status(transaction)).toBe("TRY_AGAIN_LATER");
    await world.mine();
    expect(await world.status(transaction)).toBe("ERROR");
    // Horizon looks into its history first
    expect((await world.confirmed(transaction)).hash).toBe(transaction.hash().toString("hex"));
  });
});

const bumped = (payer: Keypair, baseFee: number, inner: BuiltTransaction): FeeBumpTransaction => {
  const bump = TransactionBuilder.buildFeeBumpTransaction(payer, baseFee.toString(), inner, PASSPHRASE);
  bump.sign(payer);
  return bump;
};

describe("a fee bump", () => {
  it("pays for a transaction of somebody else", async () => {
    const before = await world.balance(BOB);
    const inner = await world.signed(ALICE, [lumens(ALICE, "1")]);
    const { hash } = await world.confirmed(bumped(BOB, 200, inner));
    expect(await world.balance(BOB)).toBe((Number(before) - 0.00002).toFixed(7));
    const found = await world.horizon.transactions().transaction(hash).call();
    expect(found).toMatchObject({
      fee_account: BOB.publicKey(),
      source_account: ALICE.publicKey(),
      inner_transaction: { hash: inner.hash().toString("hex"), max_fee: "100" },
      fee_charged: "200",
      max_fee: "400",
    });
    const carried = await world.horizon.transactions().transaction(inner.hash().toString("hex")).call();
    expect(carried.id).toBe(found.id);
  });

  it("replaces a waiting transaction if it offers ten times as much", async () => {
    const inner = await world.signed(ALICE, pay());
    await world.status(inner);
    const cheap = await world.rpc.sendTransaction(bumped(ALICE, 999, inner));
    expect([
      cheap.status,
      cheap.errorResult?.result().switch().name,
      cheap.errorResult?.feeCharged().toString(),
    ]).toEqual(["ERROR", "txInsufficientFee", "2000"]);
    expect(await world.status(bumped(ALICE, 1_000, inner))).toBe("PENDING");
    expect(await world.status(inner)).toBe("DUPLICATE");
    await world.mine();
    const found = await world.rpc.getTransaction(bumped(ALICE, 1_000, inner).hash().toString("hex"));
    expect(found.status).toBe("SUCCESS");
  });

  it("reports the defect of its inner transaction", async () => {
    const inner = await world.signed(ALICE, pay(), { sequence: "1" });
    expect(await world.codes(bumped(BOB, 200, inner))).toEqual({
      transaction: "tx_fee_bump_inner_failed",
      inner_transaction: "tx_bad_seq",
    });
  });

  it("needs the signature of the payer", async () => {
    const inner = await world.signed(ALICE, pay());
    const bump = TransactionBuilder.buildFeeBumpTransaction(BOB, "200", inner, PASSPHRASE);
    bump.sign(ALICE);
    expect(await world.codes(bump)).toEqual({ transaction: "tx_bad_auth" });
  });
});

it("the SDK gets the data to check whether a destination wants a memo", async () => {
  const wants = Operation.manageData({ name: "config.memo_required", value: "1" });
  await world.confirmed(await world.signed(BOB, [wants]));
  const transaction = await world.signed(ALICE, pay());
  await expect(world.horizon.submitTransaction(transaction)).rejects.toThrow("account requires memo");
});

it("the SDK reads what a node answered", async () => {
  const answer = await world.confirmed(await world.signed(ALICE, pay(), { fee: "99" })).catch(answerIn);
  expect(answer).toMatchObject({
    type: "https://stellar.org/horizon-errors/transaction_failed",
    status: 400,
    extras: { result_xdr: "AAAAAAAAAGT////3AAAAAA==" },
  });
});

import { ed25519 } from "@noble/curves/ed25519.js";
import algosdk from "algosdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AlgorandWorld, startAlgorandWorld, testAccount } from "../testing/algorand-world.ts";

const [ALICE, BOB, POOR] = [testAccount(1), testAccount(2), testAccount(3)];
const HASH = new Uint8Array(32).fill(9);

let world: AlgorandWorld;
let suggested: algosdk.SuggestedParams;

beforeAll(async () => {
  world = await startAlgorandWorld();
  await world.fund(ALICE, 1_000_000);
  await world.fund(POOR, 100_000);
  suggested = await world.client.getTransactionParams().do();
});

afterAll(() => world[Symbol.asyncDispose]());

type PaymentFields = Parameters<typeof algosdk.makePaymentTxnWithSuggestedParamsFromObject>[0];

const payment = (
  fields: Partial<PaymentFields>,
  parameters: Partial<algosdk.SuggestedParams> = {},
): algosdk.Transaction =>
  algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: ALICE.addr,
    receiver: BOB.addr,
    amount: 200_000,
    ...fields,
    suggestedParams: { ...suggested, ...parameters },
  });

const signed = (transaction: algosdk.Transaction): Uint8Array => transaction.signTxn(ALICE.sk);

/** The SDK's constructor functions check some things themselves; its transaction class does not. */
const unchecked = (change: (fields: algosdk.TransactionParams) => void): algosdk.Transaction => {
  const fields: algosdk.TransactionParams = {
    type: algosdk.TransactionType.pay,
    sender: ALICE.addr,
    suggestedParams: { ...suggested },
    paymentParams: { receiver: BOB.addr, amount: 200_000 },
  };
  change(fields);
  return new algosdk.Transaction(fields);
};

/** A signed payment with fields that the SDK would not leave out, or not include. */
const raw = (
  change: (transaction: Record<string, unknown>) => void,
  more: Readonly<Record<string, unknown>> = {},
): Uint8Array => {
  const transaction: Record<string, unknown> = {
    type: "pay",
    snd: ALICE.addr.publicKey,
    rcv: BOB.addr.publicKey,
    amt: 200_000,
    fee: 1_000,
    fv: 1,
    lv: 1_000,
    gh: suggested.genesisHash,
  };
  change(transaction);
  const message = Buffer.concat([Buffer.from("TX"), algosdk.msgpackRawEncode(transaction)]);
  const sig = ed25519.sign(message, ALICE.sk.subarray(0, 32));
  return algosdk.msgpackRawEncode({ sig, txn: transaction, ...more });
};

const POOL = "TransactionPool.Remember:";

describe("a payment is refused", () => {
  it.each<[string, () => algosdk.Transaction, (id: string) => string]>([
    [
      "that spends more than there is",
      () => payment({ amount: 1_000_000 }),
      (id) =>
        `${POOL} transaction ${id}: overspend (account ${ALICE.addr}, data {MicroAlgos:999mA}, tried to spend 1A)`,
    ],
    [
      "that leaves its sender below the minimum balance",
      () => payment({ amount: 900_000 }),
      (id) => `${POOL} transaction ${id}: account ${ALICE.addr} balance 99000 below min 100000 (0 assets)`,
    ],
    [
      "that leaves its receiver below the minimum balance",
      () => payment({ amount: 99_999 }),
      (id) => `${POOL} transaction ${id}: account ${BOB.addr} balance 99999 below min 100000 (0 assets)`,
    ],
    [
      "whose fee is below the minimum",
      () => payment({}, { flatFee: true, fee: 999 }),
      () => `${POOL} txgroup with 999uA fees is less than 1mA (usage=1.000000 * base=1mA)`,
    ],
    [
      "that is not valid yet",
      () => payment({}, { firstValid: 50, lastValid: 60 }),
      () => `${POOL} txn dead: round 3 outside of 50--60`,
    ],
    [
      "that is valid no longer",
      () => payment({}, { firstValid: 1, lastValid: 2 }),
      () => `${POOL} txn dead: round 3 outside of 1--2`,
    ],
    [
      "of another genesis id",
      () => payment({}, { genesisID: "mainnet-v1.0" }),
      () => `${POOL} tx.GenesisID <mainnet-v1.0> does not match expected <conclave-v1>`,
    ],
    [
      "whose window is longer than a thousand rounds",
      () => payment({}, { firstValid: 1, lastValid: 1_002 }),
      (id) => `transaction ${id} invalid : transaction window size excessive (1--1002)`,
    ],
    [
      "whose window ends before it begins",
      () =>
        unchecked(({ suggestedParams }) => Object.assign(suggestedParams, { firstValid: 5, lastValid: 4 })),
      (id) => `transaction ${id} invalid : transaction invalid range (5--4)`,
    ],
    [
      "whose note is too long",
      () => payment({ note: new Uint8Array(1_025).fill(1) }),
      (id) => `transaction ${id} invalid : transaction note too big: 1025 > 1024`,
    ],
    [
      "that closes the account to itself",
      () => payment({ closeRemainderTo: ALICE.addr }),
      (id) => `transaction ${id} invalid : transaction cannot close account to its sender ${ALICE.addr}`,
    ],
  ])("%s", async (_, make, words) => {
    const transaction = make();
    expect(await world.refusal(signed(transaction))).toBe(words(transaction.txID()));
  });

  it("of another genesis hash", async () => {
    const words = await world.refusal(signed(payment({}, { genesisHash: HASH })));
    expect(words).toContain(`${POOL} tx.GenesisHash <BEEQ`);
    expect(words).toContain("> does not match expected <");
  });

  it("without a genesis hash", async () => {
    const bytes = raw((transaction) => {
      delete transaction["gh"];
    });
    expect(await world.refusal(bytes)).toBe(`${POOL} required tx.GenesisHash is missing`);
  });

  it("without a sender", async () => {
    const bytes = raw((transaction) => {
      delete transaction["snd"];
    });
    expect(await world.refusal(bytes)).toContain("transaction cannot have zero sender");
  });

  it("whose sender has nothing", async () => {
    const transaction = payment({ sender: BOB.addr, amount: 1 });
    expect(await world.refusal(transaction.signTxn(BOB.sk))).toBe(
      `${POOL} transaction ${transaction.txID()}: overspend (account ${BOB.addr}, data {MicroAlgos:0.0A}, tried to spend 1mA)`,
    );
  });

  it("that a busy node's pool finds too cheap", async () => {
    await using busy = await startAlgorandWorld();
    await busy.fund(ALICE, 1_000_000);
    await busy.admin("set-fees", { perByte: 10 });
    const parameters = await busy.client.getTransactionParams().do();
    expect(parameters.fee).toBe(10n);
    const make = (suggestedParams: algosdk.SuggestedParams) =>
      algosdk.makePaymentTxnWithSuggestedParamsFromObject({
        sender: ALICE.addr,
        receiver: BOB.addr,
        amount: 200_000,
        suggestedParams,
      });
    const cheap = make({ ...parameters, flatFee: true, fee: 1_000 }).signTxn(ALICE.sk);
    expect(await busy.refusal(cheap)).toBe(
      `${POOL} fee {1000} below threshold ${cheap.length * 10} (10 per byte * ${cheap.length} bytes)`,
    );
    // the SDK's estimate leaves out the bytes of the fee itself
    await busy.send(make({ ...parameters, fee: 11 }).signTxn(ALICE.sk));
  });
});

describe("a signature is refused", () => {
  it("of another key", async () => {
    const transaction = payment({});
    const { sig } = algosdk.decodeSignedTransaction(transaction.signTxn(BOB.sk));
    const forged = transaction.attachSignature(ALICE.addr, sig ?? new Uint8Array());
    expect(await world.refusal(forged)).toBe("At least one signature didn't pass verification");
  });

  it("of another transaction", async () => {
    const { sig } = algosdk.decodeSignedTransaction(signed(payment({ amount: 200_001 })));
    const forged = payment({}).attachSignature(ALICE.addr, sig ?? new Uint8Array());
    expect(await world.refusal(forged)).toBe("At least one signature didn't pass verification");
  });

  it("of a key to which the account was never handed over", async () => {
    const transaction = payment({});
    expect(await world.refusal(transaction.signTxn(BOB.sk))).toBe(
      `${POOL} transaction ${transaction.txID()}: should have been authorized by ${ALICE.addr} but was actually authorized by ${BOB.addr}`,
    );
  });

  it("that names the sender as somebody else", async () => {
    const bytes = raw(() => {}, { sgnr: ALICE.addr.publicKey });
    expect(await world.refusal(bytes)).toContain("AuthAddr must be different from Sender");
  });

  it("that stands beside another", async () => {
    const bytes = raw(() => {}, { msig: { v: 1 } });
    expect(await world.refusal(bytes)).toContain("signedtxn should have only one type of signature");
  });

  it("that is not there", async () => {
    const transaction = payment({});
    const bare = algosdk.encodeMsgpack(new algosdk.SignedTransaction({ txn: transaction }));
    expect(await world.refusal(bare)).toBe(
      `transaction ${transaction.txID()} invalid : signedtxn has no sig`,
    );
  });

  it("of several signers, which this ledger does not check", async () => {
    const signers = { version: 1, threshold: 1, addrs: [ALICE.addr, BOB.addr] };
    const sender = algosdk.multisigAddress(signers);
    const transaction = payment({ sender });
    const { blob } = algosdk.signMultisigTransaction(transaction, signers, ALICE.sk);
    expect(await world.refusal(blob)).toBe(
      `transaction ${transaction.txID()} invalid : this simulated ledger does not check signatures of kind msig`,
    );
  });
});

describe("bytes are refused", () => {
  const encoded = (): Uint8Array => signed(payment({}));

  it.each<[string, () => Uint8Array, string]>([
    ["that are none", () => new Uint8Array(), "empty txgroup"],
    ["that end too soon", () => encoded().subarray(0, -1), "unexpected EOF"],
    ["that are no map", () => Uint8Array.of(1), "a signed transaction is a map"],
    ["that are no MessagePack", () => Uint8Array.of(0xc1), "Unrecognized type byte: 0xc1"],
    ["with something behind them", () => Uint8Array.from([...encoded(), 0]), "a signed transaction is a map"],
    ["that claim more than there is", () => Uint8Array.of(0xdf, 255, 255, 255, 255), "unexpected EOF"],
    ["that nest without end", () => new Uint8Array(1_000).fill(0x91), "unexpected EOF"],
    [
      "that nest too deep",
      () => Uint8Array.from([...Array<number>(1_000).fill(0x91), 1]),
      "it holds what no transaction holds",
    ],
    ["that are negative", () => Uint8Array.of(0xff), "it holds what no transaction holds"],
    ["that are nothing", () => Uint8Array.of(0xc0), "it holds what no transaction holds"],
    ["whose keys are no texts", () => Uint8Array.of(0x81, 0x01, 0x01), "it holds what no transaction holds"],
    [
      "with a key that stands twice",
      () => Uint8Array.of(0x82, 0xa3, 0x74, 0x78, 0x6e, 0x80, 0xa3, 0x74, 0x78, 0x6e, 0x80),
      "the encoding is not canonical",
    ],
    [
      "with a field that no transaction has",
      () =>
        algosdk.msgpackRawEncode({
          sig: new Uint8Array(64).fill(1),
          txn: { type: "pay", snd: HASH, zzz: 1 },
        }),
      "no matching struct field found when decoding stream map with key zzz",
    ],
    [
      "with a field of another type of transaction",
      () => algosdk.msgpackRawEncode({ txn: { type: "pay", snd: HASH, xaid: 1 } }),
      "transaction of type pay has non-zero fields for type axfer",
    ],
    [
      "of a type that does not exist",
      () => algosdk.msgpackRawEncode({ txn: { type: "x" } }),
      "unknown tx type x",
    ],
    [
      "whose keys are not in order",
      () => Uint8Array.of(0x82, 0xa3, 0x74, 0x78, 0x6e, 0x80, 0xa3, 0x73, 0x69, 0x67, 0xc4, 0),
      "the encoding is not canonical",
    ],
    [
      "that spell out what is empty",
      () => algosdk.msgpackRawEncode({ txn: { type: "pay", snd: HASH, amt: 0 } }),
      "amt is empty and must be left out",
    ],
    [
      "with an address that is too short",
      () => algosdk.msgpackRawEncode({ txn: { type: "pay", snd: new Uint8Array(31).fill(1) } }),
      "snd has 31 bytes instead of 32",
    ],
  ])("%s", async (_, bytes, words) => {
    const answer = await fetch(`${world.url}/v2/transactions`, {
      method: "POST",
      body: Uint8Array.from(bytes()),
    });
    const body: unknown = await answer.json();
    expect(answer.status).toBe(400);
    expect(body).toMatchObject({ message: expect.stringContaining(words) });
  });

  it("that are too many to be transactions, unread", async () => {
    const answer = await fetch(`${world.url}/v2/transactions`, {
      method: "POST",
      body: new Uint8Array(64 * 1024 + 1),
    });
    expect(answer.status).toBe(413);
  });

  it("of a type that this ledger does not carry out, by that name", async () => {
    const call = algosdk.makeApplicationNoOpTxnFromObject({
      sender: ALICE.addr,
      appIndex: 5,
      suggestedParams: suggested,
    });
    expect(await world.refusal(signed(call))).toBe(
      `transaction ${call.txID()} invalid : this simulated ledger does not carry out transactions of type appl`,
    );
  });
});

it("a refused transaction changed nothing", async () => {
  expect(await Promise.all([ALICE, BOB, POOR].map(world.balance))).toEqual([1_000_000n, 0n, 100_000n]);
  const { totalTransactions } = await world.client.pendingTransactionsInformation().do();
  expect(totalTransactions).toBe(0);
});

import { hexToBytes } from "@noble/hashes/utils.js";
import { expect, it } from "vitest";
import type { Payment } from "xrpl";
import { signAnything, TEST_NETWORK_ID, testWallet } from "../testing/xrpl-world.ts";
import { parseRippledAddress } from "./address.ts";
import { advanceXrpl, type RippledEffect } from "./advance.ts";
import { makeRippledGenesis } from "./genesis.ts";
import { carryOutRippled } from "./rules/carry-out.ts";
import { contextOfOpenLedger, openXrpLedger, type RippledState } from "./state.ts";
import { readRippledTransaction } from "./transaction/read.ts";

const ALICE = testWallet(1);

const funded = (): RippledState => {
  const address = parseRippledAddress(ALICE.address);
  if (address === undefined) throw new Error("the client's addresses are addresses");
  const opened = openXrpLedger(makeRippledGenesis(`${TEST_NETWORK_ID}`, "tests"), 1_000);
  const paid = advanceXrpl(opened, { kind: "fund", address, amount: 100_000_000n }).state;
  return advanceXrpl(paid, { kind: "close", time: 1_001 }).state;
};

const payment = (Sequence: number): Uint8Array => {
  const transaction: Payment = {
    TransactionType: "Payment",
    Account: ALICE.address,
    Destination: testWallet(2).address,
    Amount: "2000000",
    Fee: "10",
    Sequence,
    NetworkID: TEST_NETWORK_ID,
  };
  return hexToBytes(signAnything(transaction, ALICE).toLowerCase());
};

const submit = (state: RippledState, sequence: number) =>
  advanceXrpl(state, { kind: "submit", blob: payment(sequence), failHard: false });

const placeIn = ([effect]: readonly RippledEffect[]): unknown =>
  effect?.kind === "judged" ? [effect.result, effect.place] : effect;

it("five hundred transactions are held for their turn, and no more", () => {
  let state = funded();
  for (let at = 1; at <= 500; at += 1) {
    const step = submit(state, 2 + at);
    if (at === 1 || at === 500) expect(placeIn(step.effects)).toEqual(["terPRE_SEQ", "held"]);
    state = step.state;
  }
  const { effects, state: after } = submit(state, 600);
  expect([placeIn(effects), after.open.waiting.length]).toEqual([["terPRE_SEQ", undefined], 500]);
});

it("no account is made beyond a hundred thousand", () => {
  const state = funded();
  const read = readRippledTransaction(payment(2));
  if (!read.ok || read.value.kind !== "transaction") throw new Error("it is a transaction");
  const { transaction } = read.value;
  const result = (accountCount: number): string =>
    carryOutRippled({ ...state.books, accountCount }, transaction, contextOfOpenLedger(state)).result;
  expect([result(99_999), result(100_000)]).toEqual(["tesSUCCESS", "telFAILED_PROCESSING"]);
});

it("a hundred ranges of ledgers are forgotten, and no more", () => {
  let state = funded();
  for (let at = 0; at < 300; at += 1) state = advanceXrpl(state, { kind: "close", time: 2_000 }).state;
  for (let at = 1; at <= 100; at += 1) {
    state = advanceXrpl(state, { kind: "forget", range: { from: 2 * at, to: 2 * at } }).state;
  }
  const { effects } = advanceXrpl(state, { kind: "forget", range: { from: 250, to: 251 } });
  expect(effects).toMatchObject([
    { kind: "refused", message: expect.stringContaining("remember them first") },
  ]);
});

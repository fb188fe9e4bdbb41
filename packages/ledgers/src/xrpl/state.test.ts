import { expect, it } from "vitest";
import { advanceXrpl } from "./advance.ts";
import type { RippledLedger } from "./closed-ledger.ts";
import { makeRippledGenesis } from "./genesis.ts";
import { keptRippledLedgers, latestRippledLedger, openXrpLedger } from "./state.ts";

const GENESIS = makeRippledGenesis("20261", "tests");
const OPENED = openXrpLedger(GENESIS, 1_000);

/** A ledger with one transaction. */
const busyLedger = (): RippledLedger => {
  const { address } = makeRippledGenesis("20261", "somebody else").faucet;
  const funded = advanceXrpl(OPENED, { kind: "fund", address, amount: 1_000_000n }).state;
  return latestRippledLedger(advanceXrpl(funded, { kind: "close", time: 1_001 }).state);
};

/** Makes this many ledgers with this many transactions each. */
const ledgers = (count: number, transactions: number): readonly RippledLedger[] => {
  const ledger = busyLedger();
  const [one] = ledger.transactions.values();
  if (one === undefined) throw new Error("the faucet paid");
  const held = new Map(Array.from({ length: transactions }, (_, at) => [`${at}`, one]));
  return Array.from({ length: count }, (_, at) => ({ ...ledger, index: at, transactions: held }));
};

it("the oldest of more than twenty thousand ledgers is forgotten", () => {
  expect(keptRippledLedgers(ledgers(20_000, 0))).toHaveLength(20_000);
  const kept = keptRippledLedgers(ledgers(20_001, 0));
  expect([kept.length, kept[0]?.index]).toEqual([20_000, 1]);
});

it("ledgers of more than twenty thousand transactions are forgotten", () => {
  expect(keptRippledLedgers(ledgers(2_000, 10))).toHaveLength(2_000);
  expect(keptRippledLedgers(ledgers(2_001, 10))).toHaveLength(2_000);
});

it("the latest 256 ledgers are kept, whatever they hold", () => {
  expect(keptRippledLedgers(ledgers(300, 1_000))).toHaveLength(256);
});

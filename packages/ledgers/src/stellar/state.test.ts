import { expect, it } from "vitest";
import { advanceStellar } from "./advance.ts";
import { makeHorizonGenesis } from "./genesis.ts";
import type { HorizonLedger, HorizonRecord } from "./ledger.ts";
import { eldestLedger, keptLedgers, latestLedger, ledgerOf, openStellarLedger } from "./state.ts";

const GENESIS = makeHorizonGenesis("Conclave Test Network", "tests");
const opened = openStellarLedger(GENESIS, 1_000n);
const first = latestLedger(opened);

const ledger = (sequence: number, transactions: number): HorizonLedger => ({
  ...first,
  header: { ...first.header, sequence },
  transactions: Array<HorizonRecord>(transactions),
});

const ledgers = (count: number, transactions: number): readonly HorizonLedger[] =>
  Array.from({ length: count }, (_, at) => ledger(at + 1, transactions));

const kept = (all: readonly HorizonLedger[]): readonly [number, number | undefined, number | undefined] => {
  const left = keptLedgers(all);
  return [left.length, left[0]?.header.sequence, left.at(-1)?.header.sequence];
};

it("twenty thousand ledgers are kept", () => {
  expect(kept(ledgers(20_000, 0))).toEqual([20_000, 1, 20_000]);
  expect(kept(ledgers(20_001, 0))).toEqual([20_000, 2, 20_001]);
});

it("twenty thousand transactions are kept, and the latest ledger always", () => {
  expect(kept(ledgers(20, 1_000))).toEqual([20, 1, 20]);
  expect(kept(ledgers(21, 1_000))).toEqual([20, 2, 21]);
  expect(kept([ledger(1, 0), ledger(2, 30_000)])).toEqual([1, 2, 2]);
});

it("a ledger is found by its number among those that are kept", () => {
  const state = { ...opened, ledgers: [ledger(7, 0), ledger(8, 0)] };
  expect([6, 7, 8, 9].map((sequence) => ledgerOf(state, sequence)?.header.sequence)).toEqual([
    undefined,
    7,
    8,
    undefined,
  ]);
  expect(eldestLedger(state).header.sequence).toBe(7);
});

it("each ledger names the one before by its hash", () => {
  const { state } = advanceStellar(opened, { kind: "mine", time: 1_005n });
  const closed = latestLedger(state);
  expect([closed.header.previous, closed.header.sequence, closed.header.value.closedAt]).toEqual([
    first.hash,
    2,
    1_005n,
  ]);
});

import { expect, it } from "vitest";
import { advanceTron } from "./advance.ts";
import type { JavaTronBlock } from "./block.ts";
import { makeJavaTronGenesis } from "./genesis.ts";
import { type JavaTronState, latestJavaTronBlock, openTronLedger, trimmedJavaTron } from "./state.ts";

const START_MS = 1_795_132_800_000;
const genesis = makeJavaTronGenesis("conclave-tests", "tests");

const mined = (state: JavaTronState, time = START_MS): JavaTronState =>
  advanceTron(state, { kind: "mine", time, runs: [] }).state;

/** A ledger whose block 1 has a payment. */
const withPayment = (): JavaTronState => {
  const opened = mined(openTronLedger(genesis, START_MS));
  const { address } = genesis.witness;
  return mined(advanceTron(opened, { kind: "fund", address, amount: 5n }).state);
};

/** The ledger after this many empty blocks, constructed without mining. */
const later = (state: JavaTronState, blocks: number, timeOf: (at: number) => number): JavaTronState => {
  const head = latestJavaTronBlock(state);
  const empty = Array.from(
    { length: blocks },
    (_, at): JavaTronBlock => ({
      ...head,
      number: head.number + 1 + at,
      time: timeOf(at),
      transactions: new Map(),
    }),
  );
  return { ...state, blocks: [...state.blocks, ...empty] };
};

it("equal events give equal ledgers, and another seed another chain", () => {
  expect(withPayment()).toEqual(withPayment());
  expect(makeJavaTronGenesis("conclave-tests", "other").block.id).not.toBe(genesis.block.id);
  expect(makeJavaTronGenesis("conclave-main", "tests").block.id).not.toBe(genesis.block.id);
  expect(() => makeJavaTronGenesis("", "tests")).toThrow("has 1 to 64 characters");
});

it("blocks are forgotten beyond 20 000, but no transaction that could be sent again", () => {
  const state = withPayment();
  const ids = [...latestJavaTronBlock(state).transactions.keys()];
  expect(ids).toHaveLength(1);
  const soon = trimmedJavaTron(later(state, 20_000, (at) => START_MS + at));
  expect(soon.blocks).toHaveLength(20_000);
  expect([...soon.forgotten.keys()]).toEqual(ids);
  const muchLater = trimmedJavaTron(later(soon, 1, () => START_MS + 86_400_000));
  expect(muchLater.forgotten.size).toBe(0);
});

it("a block is younger than the one before it, whatever the clock says", () => {
  const state = mined(withPayment(), START_MS - 1_000_000);
  expect(latestJavaTronBlock(state).time).toBe(START_MS + 2);
});

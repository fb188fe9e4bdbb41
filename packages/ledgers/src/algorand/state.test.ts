import { expect, it } from "vitest";
import { advanceAlgorand } from "./advance.ts";
import type { AlgodBlock } from "./block.ts";
import { makeAlgodGenesis } from "./genesis.ts";
import { blockOfRound, keptBlocks, latestBlock, openAlgorandLedger } from "./state.ts";

const GENESIS = makeAlgodGenesis("conclave-v1", "tests");
const OPENED = openAlgorandLedger(GENESIS, 1_000n);

/** A block with one transaction. */
const busyBlock = (): AlgodBlock => {
  const { address } = GENESIS.faucet;
  const funded = advanceAlgorand(OPENED, { kind: "fund", address, amount: 1n }).state;
  return latestBlock(advanceAlgorand(funded, { kind: "mine", time: 1_001n }).state);
};

/** Makes this many blocks with this many transactions each. */
const blocks = (rounds: number, transactions: number): readonly AlgodBlock[] => {
  const block = busyBlock();
  const [one] = block.transactions.values();
  if (one === undefined) throw new Error("the faucet paid");
  const held = new Map(Array.from({ length: transactions }, (_, at) => [`${at}`, one]));
  return Array.from({ length: rounds }, (_, at) => ({ ...block, round: BigInt(at), transactions: held }));
};

it("the oldest of more than twenty thousand blocks is forgotten, and the others are found by their round", () => {
  expect(keptBlocks(blocks(20_000, 0))).toHaveLength(20_000);
  const kept = keptBlocks(blocks(20_001, 0));
  expect([kept.length, kept[0]?.round]).toEqual([20_000, 1n]);
  const state = { ...OPENED, blocks: kept };
  expect([0n, 1n, 20_000n, 20_001n].map((round) => blockOfRound(state, round)?.round)).toEqual([
    undefined,
    1n,
    20_000n,
    undefined,
  ]);
});

it("blocks of more than a hundred thousand transactions are forgotten", () => {
  expect(keptBlocks(blocks(2_000, 50))).toHaveLength(2_000);
  expect(keptBlocks(blocks(2_001, 50))).toHaveLength(2_000);
});

it("no block is forgotten in which a transaction that is still valid can stand", () => {
  expect(keptBlocks(blocks(1_500, 1_000))).toHaveLength(1_001);
});

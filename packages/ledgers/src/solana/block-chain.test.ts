import { expect, it } from "vitest";
import { type AgaveBlock, type AgaveLanded, makeAgaveBlock } from "./block.ts";
import {
  agaveBlockOfSlot,
  agaveBlocks,
  agaveBlocksBack,
  firstWholeAgaveBlock,
  openAgaveBlockChain,
  recentAgaveBlock,
  withAgaveBlock,
} from "./block-chain.ts";
import { agaveFaucetPayment } from "./faucet.ts";
import { makeAgaveGenesis } from "./genesis.ts";
import { openSolanaLedger } from "./state.ts";
import { readAgaveTransaction } from "./wire/transaction.ts";

const FIRST = makeAgaveBlock("hash", undefined, {
  slot: 0,
  time: 0,
  transactions: [],
  unitPriceFloor: 0n,
  undo: new Map(),
});

const genesis = makeAgaveGenesis("conclave", "tests");
const PAYMENT: AgaveLanded = {
  transaction: readAgaveTransaction(
    agaveFaucetPayment(openSolanaLedger(genesis, 0), genesis.faucet.address, 1n),
  ),
  error: undefined,
  logs: [],
  inner: [],
  units: 0n,
  returned: undefined,
  fee: 5_000n,
  unitPrice: 0n,
  before: { lamports: [], tokens: [] },
  after: { lamports: [], tokens: [] },
};

/** A block; every second slot has one. */
const blockOfHeight = (height: number, transactions: readonly AgaveLanded[] = []): AgaveBlock => ({
  ...FIRST,
  height,
  slot: 2 * height,
  transactions,
});

it("of old blocks those that hold transactions are kept, of the others none", () => {
  let chain = openAgaveBlockChain(FIRST);
  for (let height = 1; height <= 70_000; height += 1) {
    chain = withAgaveBlock(chain, blockOfHeight(height, height === 7 ? [PAYMENT] : []));
  }
  const first = firstWholeAgaveBlock(chain).height;
  expect(first).toBeGreaterThan(7);
  const heights = [...agaveBlocks(chain)].map(({ height }) => height);
  expect(heights).toEqual([7, ...Array.from({ length: 70_001 - first }, (_, at) => first + at)]);
  expect([...agaveBlocksBack(chain)].map(({ height }) => height)).toEqual(heights.toReversed());
  expect(agaveBlockOfSlot(chain, 14)?.transactions).toHaveLength(1);
  expect(agaveBlockOfSlot(chain, 16)).toBeUndefined();
  expect(agaveBlockOfSlot(chain, 2 * first)?.height).toBe(first);
  expect(agaveBlockOfSlot(chain, 2 * first + 1)).toBeUndefined();
  expect(agaveBlockOfSlot(chain, 140_000)?.height).toBe(70_000);
  expect(agaveBlockOfSlot(chain, 140_002)).toBeUndefined();
  expect(recentAgaveBlock(chain, 200)?.height).toBe(69_800);
});

import { describe, expect, it } from "vitest";
import { BITCOIN_SENDER, coinsOf, paidTo, TAPROOT_KEY } from "../../testing/bitcoin-samples.ts";
import { candidateCoins } from "./candidates.ts";
import { chooseCoins, type Payment } from "./choose.ts";
import { coinName } from "./coin.ts";
import { bitcoinFeeLevels, feeOf, feeRate, feeTarget, judgeFee, replacingFee, shownRate } from "./fees.ts";
import { virtualSize } from "./size.ts";

const FLOOR = { least: 1_000n, increment: 1_000n };
const wanted = (amount: bigint | undefined) => ({ own: paidTo(BITCOIN_SENDER), amount, cost: 0n });
const amountsOf = (coins: readonly { readonly amount: bigint }[]) => coins.map(({ amount }) => amount);

describe("the coins worth a look", () => {
  it("of a small wallet are all that are free", () => {
    const coins = coinsOf([5n, 9n, 7n]);
    const [taken] = coins;
    const unfree = new Set(taken === undefined ? [] : [coinName(taken.outpoint)]);
    expect(amountsOf(candidateCoins(coins, wanted(6n), unfree))).toEqual([9n, 7n]);
  });

  it("of a large one are those that pay, some to spare, and those just above the amount", () => {
    const many = coinsOf(Array.from({ length: 500 }, (_, at) => BigInt(at + 1)));
    const found = amountsOf(candidateCoins(many, wanted(100n), new Set()));
    expect([found.length, found[0], found[40]]).toEqual([49, 500n, 460n]);
    expect(found.slice(41)).toEqual([108n, 107n, 106n, 105n, 104n, 103n, 102n, 101n]);
  });

  it("K7 are as many as pay the amount and their own fees, and no more than one transaction spends", () => {
    const many = coinsOf(Array.from({ length: 400 }, () => 20_000n));
    const count = (amount: bigint | undefined, cost: bigint) =>
      candidateCoins(many, { ...wanted(amount), cost }, new Set()).length;
    expect(count(1_000_000n, 0n)).toBe(50 + 40);
    expect(count(1_000_000n, 10_000n)).toBe(100 + 40);
    expect(count(8_000_000n, 10_000n)).toBe(256 + 40);
    expect(count(undefined, 0n)).toBe(256 + 40);
  });
});

describe("the choice of coins", () => {
  const free: Payment = {
    own: paidTo(TAPROOT_KEY.address),
    paid: undefined,
    pinned: [],
    coins: coinsOf([400n, 1_000n, 600n], TAPROOT_KEY.address),
    feeFor: () => 100n,
  };

  it("for what comes back to the wallet alone leaves one output that is no dust", () => {
    expect(chooseCoins(free)).toMatchObject({ kind: "chosen", choice: { change: 500n, fee: 100n } });
    const short = chooseCoins({ ...free, coins: coinsOf([400n], TAPROOT_KEY.address) });
    expect(short).toMatchObject({ kind: "short", held: 400n, bound: undefined });
  });

  it("never leaves out what is pinned", () => {
    const pinned = coinsOf([300n], TAPROOT_KEY.address);
    const chosen = chooseCoins({ ...free, pinned });
    expect(chosen.kind === "chosen" && amountsOf(chosen.choice.coins)).toEqual([300n, 1_000n]);
  });
});

describe("the rate of a priority", () => {
  it("is the node's, above its floor and below what nobody pays", () => {
    const standard = feeTarget("Standard");
    expect(feeRate(standard, 12_345n, FLOOR)).toBe(12_345n);
    expect(feeRate(standard, 1n, FLOOR)).toBe(1_000n);
    expect(feeRate(standard, 1n, { ...FLOOR, least: 30_000n })).toBe(30_000n);
    expect(feeRate(standard, 10n ** 12n, FLOOR)).toBe(2_000_000n);
  });

  it("has a fallback where the node cannot tell", () => {
    const rates = (["Slow", "Standard", "Fast", undefined] as const).map((priority) =>
      feeRate(feeTarget(priority), undefined, FLOOR),
    );
    expect(rates).toEqual([2_000n, 10_000n, 20_000n, 10_000n]);
    expect([feeTarget(undefined).mode, feeTarget("Slow").blocks]).toEqual(["economical", 144]);
  });

  it("costs no less for being sooner, whatever the node says", () => {
    const odd = { Slow: 9_000n, Standard: 3_500n, Fast: 1_000n };
    expect(bitcoinFeeLevels(7n, FLOOR, odd)).toEqual({
      kind: "Bitcoin",
      blockNumber: 7,
      slow: { feeRate: "9", blockHorizon: 144 },
      standard: { feeRate: "9", blockHorizon: 6 },
      fast: { feeRate: "9", blockHorizon: 1 },
    });
  });

  it.each([
    [1_000n, "1"],
    [1_500n, "1.5"],
    [12_345n, "12.345"],
    [1_001n, "1.001"],
    [10n, "0.01"],
  ])("of %i is shown as %s satoshis a virtual byte", (rate, shown) => {
    expect(shownRate(rate)).toBe(shown);
  });

  it("is rounded up for a size, and judged by the cap", () => {
    expect([feeOf(1_001n, 141n), feeOf(1_000n, 141n)]).toEqual([142n, 141n]);
    expect([judgeFee(100n, "100").ok, judgeFee(101n, "100").ok]).toEqual([true, false]);
  });
});

describe("the fee of a replacement (BIP-125)", () => {
  const replaced = { fee: 1_000n, vbytes: 200n, withDescendants: 1_000n };

  it("is more than all that leaves the pool, by the increment for its size", () => {
    expect(replacingFee(0n, 100n, FLOOR, replaced)).toBe(1_100n);
    expect(replacingFee(0n, 100n, FLOOR, { ...replaced, withDescendants: 7_000n })).toBe(7_100n);
    expect(replacingFee(0n, 100n, { ...FLOOR, increment: 5_000n }, replaced)).toBe(1_500n);
  });

  it("is of a higher rate, also when it is larger", () => {
    // at 5 satoshis a virtual byte
    expect(replacingFee(0n, 400n, FLOOR, replaced)).toBe(2_001n);
  });

  it("follows the market up to twice of what was paid", () => {
    expect(replacingFee(15_000n, 100n, FLOOR, replaced)).toBe(1_500n);
    expect(replacingFee(90_000n, 100n, FLOOR, replaced)).toBe(2_000n);
  });
});

describe("the size of a transaction", () => {
  it("counts a witness a quarter", () => {
    const [segwit, taproot] = [paidTo(BITCOIN_SENDER), paidTo(TAPROOT_KEY.address)];
    expect(virtualSize(1, segwit, [segwit, segwit])).toBe(141n);
    expect(virtualSize(2, segwit, [segwit, segwit])).toBe(209n);
    expect(virtualSize(1, taproot, [taproot])).toBe(111n);
  });
});

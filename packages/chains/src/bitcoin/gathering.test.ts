import { type FeeLevels, networkSchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import {
  authorisedBitcoinTransaction,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  coinsOf,
  inputOf,
  outputTo,
  paidTo,
  samplePsbt,
  TAPROOT_KEY,
} from "../testing/bitcoin-samples.ts";
import { buildBitcoin } from "./build.ts";
import { BITCOIN_FAMILY } from "./family.ts";
import { gatherable, isQuiet } from "./gathering.ts";
import { readBitcoinTransaction } from "./read.ts";
import { decodePsbt, encodePsbt, feeOfPsbt } from "./wire/psbt.ts";

const market = (feeRate: string): FeeLevels => {
  const level = { feeRate, blockHorizon: 6 };
  return { kind: "Bitcoin", blockNumber: 1, slow: level, standard: level, fast: level };
};

const holding = (count: number, amount: bigint) => Array.from({ length: count }, () => ({ amount }));

describe("K7 coins are gathered", () => {
  it.each([
    ["1", true],
    ["9.999", true],
    ["10", true],
    ["10.001", false],
    ["250", false],
  ])("at %s satoshis a virtual byte: %s", (rate, isTime) => {
    expect(isQuiet(market(rate))).toBe(isTime);
  });

  // BIP-141: 10.5 for the frame, 31 or 43 for the output and its count, 68 or 57.5 for each input, and two bytes more for their count
  it.each([
    ["P2WPKH, but for the 32 that are left to payments", BITCOIN_SENDER, 201, 115_340n],
    ["P2WPKH, and more than one transaction spends", BITCOIN_SENDER, 5_000, 174_520n],
    ["P2TR", TAPROOT_KEY.address, 5_000, 589_360n],
  ])("of a wallet of %s, for 10 satoshis a virtual byte at the most", (_, owner, coins, about) => {
    const { body, ...found } = gatherable(paidTo(owner), holding(coins, 20_000n));
    expect(found).toEqual({ coins });
    if (body.kind !== "Consolidate") expect.fail("it gathers");
    const most = BigInt(body.maxFee ?? 0);
    expect(body.maxFeeRate).toBe("10");
    expect(most >= (about * 99n) / 100n && most <= (about * 101n) / 100n).toBe(true);
  });

  it("and dust is not: it costs more than it holds, however much of it somebody sends", () => {
    const dust = holding(5_000, 546n);
    expect(gatherable(paidTo(BITCOIN_SENDER), [...dust, ...holding(3, 20_000n)]).coins).toBe(3);
  });
});

describe("INV-3 gathering that names the most it pays for a virtual byte", () => {
  const gathers = (from: string, maxFeeRate?: string) =>
    authorisedBitcoinTransaction({
      kind: "Consolidate",
      from,
      maxFee: "90000",
      ...(maxFeeRate === undefined ? {} : { maxFeeRate }),
    });
  /** Reads a gathering that a malicious orchestrator could have built. */
  const readOf = (owner: string, amounts: readonly bigint[], fee: bigint, maxFeeRate?: string) => {
    const inputs = coinsOf(amounts, owner).map((coin) => inputOf(coin, owner));
    const left = amounts.reduce((sum, amount) => sum + amount, 0n) - fee;
    const bytes = encodePsbt(samplePsbt({ inputs, outputs: [outputTo(owner, left)] }));
    return readBitcoinTransaction(BITCOIN_SIGNET, bytes, gathers(owner, maxFeeRate));
  };

  // two coins and one output: frame 10.5, output 31 or 43, and 68 or 57.5 for each coin
  it.each([
    ["P2WPKH", BITCOIN_SENDER, 178n],
    ["P2TR", TAPROOT_KEY.address, 169n],
  ])("is refused by signers where two coins of %s are to burn what hundreds may cost", (_, owner, vbytes) => {
    const most = 10n * vbytes;
    expect(readOf(owner, [50_000n, 60_000n], 90_000n)).toMatchObject({ ok: true });
    expect(readOf(owner, [50_000n, 60_000n], 90_000n, "10")).toMatchObject({
      problem: { code: "FeeAboveCap", details: { fee: "90000", feeCap: most.toString() } },
    });
    expect(readOf(owner, [50_000n, 60_000n], most + 1n, "10")).toMatchObject({
      problem: { code: "FeeAboveCap" },
    });
    expect(readOf(owner, [50_000n, 60_000n], most, "10")).toMatchObject({ ok: true, value: { fee: most } });
  });

  it.each([
    ["P2WPKH", BITCOIN_SENDER, 680n],
    ["P2TR", TAPROOT_KEY.address, 580n],
  ])("is refused by signers where a coin of %s does not pay for itself", (_, owner, cost) => {
    expect(readOf(owner, [50_000n, cost], 500n)).toMatchObject({ ok: true });
    expect(readOf(owner, [50_000n, cost], 500n, "10")).toMatchObject({
      problem: { code: "TransactionMismatch", details: { field: "inputs.1.amount" } },
    });
    expect(readOf(owner, [50_000n, cost + 1n], 500n, "10")).toMatchObject({ ok: true });
  });

  it("does not lift the bound of the whole", () => {
    expect(readOf(BITCOIN_SENDER, [50_000n, 60_000n], 90_001n, "600")).toMatchObject({
      problem: { code: "FeeAboveCap", details: { feeCap: "90000" } },
    });
  });

  const build = (rate: bigint, maxFeeRate?: string) => {
    const coins = coinsOf([50_000n, 60_000n, 690n, 680n, 69n]);
    return buildBitcoin(
      BITCOIN_SIGNET,
      {
        height: 800_000n,
        medianTime: 1_700_000_000n,
        rate,
        floor: { least: 1_000n, increment: 1_000n },
        coins,
        inPool: 0n,
        unspent: coins,
        replacedWithDescendants: 0n,
      },
      {
        sender: BITCOIN_SENDER,
        keys: [],
        act: gathers(BITCOIN_SENDER, maxFeeRate),
        priority: undefined,
        sequencing: { kind: "next", lowest: 0n },
      },
    );
  };

  it("is built as signers read it: at the market's rate, of coins that pay for themselves at the most", () => {
    for (const [maxFeeRate, count] of [
      [undefined, 5],
      ["10", 3],
    ] as const) {
      const made = build(1_000n, maxFeeRate);
      if (!made.ok) expect.fail(made.problem.message);
      const psbt = decodePsbt(made.value.unsigned);
      if (!psbt.ok) expect.fail(psbt.problem.message);
      expect(psbt.value.inputs).toHaveLength(count);
      expect(feeOfPsbt(psbt.value)).toBeLessThan(500n);
      const act = gathers(BITCOIN_SENDER, maxFeeRate);
      expect(readBitcoinTransaction(BITCOIN_SIGNET, made.value.unsigned, act)).toMatchObject({ ok: true });
    }
  });

  it("is not built where the market asks for more", () => {
    expect(build(10_000n, "10")).toMatchObject({ ok: true });
    expect(build(10_100n, "10")).toMatchObject({ problem: { code: "FeeAboveCap" } });
  });

  it("has neither bound once its caller speeds it up", () => {
    const waiting = { act: gathers(BITCOIN_SENDER, "10"), sequence: undefined, signed: new Uint8Array(0) };
    expect(BITCOIN_FAMILY.replacements.speedUp(waiting)).toEqual({
      ok: true,
      value: { kind: "Consolidate", from: BITCOIN_SENDER },
    });
  });

  it("is requested with the kind Consolidate and both bounds", () => {
    const network = networkSchema.parse(BITCOIN_SIGNET.network);
    const body = { kind: "Consolidate", maxFee: "700", maxFeeRate: "10" } as const;
    expect(BITCOIN_FAMILY.judgeTransaction(network, body, BITCOIN_SENDER, undefined)).toEqual({
      ok: true,
      value: { ...body, from: BITCOIN_SENDER },
    });
  });
});

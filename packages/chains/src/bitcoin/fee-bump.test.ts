import type { Act, BitcoinFeeLevels } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import type { StuckTransaction, TransactionIntent } from "../chain.ts";
import {
  authorisedBitcoin,
  authorisedBitcoinTransaction,
  authorisedPsbt,
  BITCOIN_KEY,
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  coinsOf,
  samplePsbt,
} from "../testing/bitcoin-samples.ts";
import { buildBitcoin } from "./build.ts";
import { effectsOfBitcoin } from "./effects.ts";
import { readBitcoinTransaction } from "./read.ts";
import { BITCOIN_REPLACEMENTS } from "./replacements.ts";
import type { BitcoinSituation } from "./situation.ts";
import { decodePsbt, encodePsbt, feeOfPsbt } from "./wire/psbt.ts";

/** A transaction of 209 virtual bytes that pays 1000 satoshis. */
const STUCK = encodePsbt(samplePsbt());
const VBYTES = 209n;
const replaces = ["xfr-aaaaa-bbbbb-ccccccccccccccc"];
const PAYMENT = { from: BITCOIN_SENDER, to: BITCOIN_RECIPIENT, amount: "120000" };
const speedUpAct = (maxFee?: string) =>
  authorisedBitcoinTransaction(
    { kind: "SpeedUp", ...PAYMENT, ...(maxFee === undefined ? {} : { maxFee }) },
    { replaces },
  );

const marketOf = (feeRate: string): BitcoinFeeLevels => {
  const level = { feeRate, blockHorizon: 6 };
  return { kind: "Bitcoin", blockNumber: 7, slow: level, standard: level, fast: level };
};
const bump = (cap: string, feeRate = "1", act: Act = authorisedBitcoin()) => {
  const stuck: StuckTransaction = {
    replaced: { act, sequence: undefined, signed: new Uint8Array() },
    unsigned: STUCK,
    cap,
    market: marketOf(feeRate),
  };
  return BITCOIN_REPLACEMENTS.bump?.(stuck);
};
const bid = (maxFee: bigint) => ({
  ok: true,
  value: { kind: "bid", content: { kind: "SpeedUp", ...PAYMENT, maxFee: maxFee.toString() } },
});

describe("the fee that the service bids by itself on Bitcoin", () => {
  it.each([
    ["twice what was paid, as a caller's speed-up", "100", "1", 2_000n],
    ["what the market asks, where that is more", "100", "20.5", (41n * VBYTES + 1n) / 2n],
    ["the cap, where the market asks more", "15", "20", 15n * VBYTES],
    ["the cap, where it is below twice", "6", "1", 6n * VBYTES],
  ])("is at most %s", (_, cap, feeRate, most) => {
    expect(bump(cap, feeRate)).toEqual(bid(most));
  });

  it("is none where the least that BIP-125 asks for is above the cap", () => {
    // 1000 satoshis, plus one for each of its own virtual bytes
    expect(bump("5")).toEqual({ ok: true, value: { kind: "above-cap", least: "5.784" } });
  });

  it("is bid again for what was bid before", () => {
    expect(bump("100", "1", speedUpAct("1500"))).toEqual(bid(2_000n));
  });

  it("is none for a caller's own PSBT, nor for a cancellation", () => {
    expect(bump("100", "1", authorisedPsbt(STUCK))).toEqual({ ok: true, value: { kind: "callers-fee" } });
    const cancel = authorisedBitcoinTransaction({ kind: "Cancel", from: BITCOIN_SENDER }, { replaces });
    expect(bump("100", "1", cancel)).toMatchObject({ problem: { code: "TransactionKindNotSupported" } });
  });
});

describe("the fee of gathered coins", () => {
  const consolidate = (bounds: { readonly maxFee?: string; readonly maxFeeRate?: string } = {}) =>
    authorisedBitcoinTransaction({ kind: "Consolidate", from: BITCOIN_SENDER, ...bounds });

  it("is not raised by the service where the caller has bounded it, and is bid where nobody has", () => {
    for (const bounds of [{ maxFee: "1500" }, { maxFeeRate: "15" }]) {
      expect(bump("100", "1", consolidate(bounds))).toEqual({ ok: true, value: { kind: "callers-fee" } });
    }
    expect(bump("100", "1", consolidate())).toMatchObject({ ok: true, value: { kind: "bid" } });
  });
});

describe("INV-3 a speed-up with a bound", () => {
  const read = (fee: bigint, maxFee?: string) => {
    const [paid, change] = samplePsbt().outputs;
    if (paid === undefined || change === undefined) return expect.fail("the sample has two outputs");
    const outputs = [paid, { ...change, amount: change.amount + 1_000n - fee }];
    return readBitcoinTransaction(BITCOIN_SIGNET, encodePsbt(samplePsbt({ outputs })), speedUpAct(maxFee));
  };

  it("is signed up to it, and refused above it", () => {
    expect(read(2_000n, "2000")).toMatchObject({ ok: true, value: { fee: 2_000n } });
    expect(read(2_001n, "2000")).toMatchObject({
      problem: { code: "FeeAboveCap", details: { fee: "2001", feeCap: "2000" } },
    });
    expect(read(2_001n).ok).toBe(true);
  });

  it("does not lift the network's cap", () => {
    const maxFee = "999999999";
    const narrow = { ...BITCOIN_SIGNET, feeCap: "900" };
    expect(readBitcoinTransaction(narrow, STUCK, speedUpAct(maxFee))).toMatchObject({
      problem: { code: "FeeAboveCap" },
    });
  });

  it("counts with it, for policies, and without one with the network's cap", () => {
    const feeOf = (act: ReturnType<typeof speedUpAct>) =>
      effectsOfBitcoin(BITCOIN_SIGNET, act.transaction).fee;
    expect([feeOf(speedUpAct("2000")), feeOf(speedUpAct())]).toEqual(["2000", BITCOIN_SIGNET.feeCap]);
  });
});

describe("a speed-up with a bound, as it is built", () => {
  const build = (rate: bigint, maxFee?: string) => {
    const coins = coinsOf([100_000n, 100_000n, 500_000n]);
    const situation: BitcoinSituation = {
      medianTime: 1_700_000_000n,
      inPool: 0n,
      height: 800_000n,
      rate,
      floor: { least: 1_000n, increment: 1_000n },
      coins,
      unspent: coins,
      replacedWithDescendants: 0n,
    };
    const intent: TransactionIntent = {
      sender: BITCOIN_SENDER,
      keys: [BITCOIN_KEY.publicKey],
      act: speedUpAct(maxFee),
      priority: undefined,
      sequencing: { kind: "replacing", sequence: undefined, earlier: STUCK },
      alive: [],
    };
    const built = buildBitcoin(BITCOIN_SIGNET, situation, intent);
    if (!built.ok) return built.problem.code;
    const psbt = decodePsbt(built.value.unsigned);
    return psbt.ok ? feeOfPsbt(psbt.value) : expect.fail("it is not read");
  };

  it.each([
    ["the market beyond twice what was paid", 30_000n, "9000", 30n * VBYTES],
    ["its bound where the market asks more", 30_000n, "4000", 4_000n],
    ["the least that replaces, in a quiet market", 1_000n, "9000", 1_000n + VBYTES],
    ["twice what was paid without a bound", 30_000n, undefined, 2_000n],
  ])("pays %s", (_, rate, maxFee, fee) => {
    expect(build(rate, maxFee)).toBe(fee);
  });

  it("is not built where its bound is too little", () => {
    expect(build(1_000n, "1100")).toBe("FeeAboveCap");
  });
});

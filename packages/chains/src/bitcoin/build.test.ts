import type { Act } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { Transaction } from "@scure/btc-signer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TransactionIntent } from "../chain.ts";
import {
  authorisedBitcoin,
  authorisedBitcoinTransaction,
  authorisedPsbt,
  BITCOIN_KEY,
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  BTC_TRANSFER,
  coinsOf,
  inputOf,
  outputTo,
  paidTo,
  samplePsbt,
  TAPROOT_KEY,
} from "../testing/bitcoin-samples.ts";
import { attachBitcoinSignatures } from "./attach.ts";
import { buildBitcoin } from "./build.ts";
import { coinName } from "./coins/coin.ts";
import { feeOf } from "./coins/fees.ts";
import { sharesCoin } from "./exclusion.ts";
import { readBitcoinTransaction } from "./read.ts";
import type { BitcoinSituation } from "./situation.ts";
import { decodePsbt, encodePsbt, feeOfPsbt, type Psbt } from "./wire/psbt.ts";
import { segwitDigests } from "./wire/sighash.ts";

const FLOOR = { least: 1_000n, increment: 1_000n };
/** Five satoshis a virtual byte. */
const RATE = 5_000n;

const situationOf = (
  amounts: readonly bigint[],
  change: Partial<BitcoinSituation> = {},
): BitcoinSituation => {
  const coins = coinsOf(amounts);
  return {
    height: 800_000n,
    medianTime: 1_700_000_000n,
    rate: RATE,
    floor: FLOOR,
    coins,
    unspent: coins,
    inPool: 0n,
    replacedWithDescendants: 0n,
    ...change,
  };
};

const intent = (change: Partial<TransactionIntent> = {}): TransactionIntent => ({
  sender: BITCOIN_SENDER,
  keys: [BITCOIN_KEY.publicKey],
  act: authorisedBitcoin(),
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
  alive: [],
  ...change,
});

const pays = (amount: bigint): Act => authorisedBitcoin({ ...BTC_TRANSFER, amount: amount.toString() });

const build = (situation: BitcoinSituation, change: Partial<TransactionIntent> = {}) =>
  buildBitcoin(BITCOIN_SIGNET, situation, intent(change));
const built = (situation: BitcoinSituation, change: Partial<TransactionIntent> = {}): Psbt => {
  const made = build(situation, change);
  if (!made.ok) expect.fail(made.problem.message);
  const psbt = decodePsbt(made.value.unsigned);
  return psbt.ok ? psbt.value : expect.fail(psbt.problem.message);
};
const problemOf = (made: ReturnType<typeof build>) =>
  made.ok ? expect.fail("it is built") : ([made.problem.code, made.problem.message] as const);
const amountsOf = (psbt: Psbt) => psbt.inputs.map(({ coin }) => coin.amount);
const outputsOf = (psbt: Psbt) => psbt.outputs.map(({ amount }) => amount);

/** Virtual bytes of the signed transaction, as another library counts them. */
const sizeOf = (psbt: Psbt): bigint => {
  const signatures = segwitDigests(psbt).map((digest) => BITCOIN_KEY.sign(digest));
  const attached = attachBitcoinSignatures(encodePsbt(psbt), signatures, [BITCOIN_KEY.publicKey]);
  if (!attached.ok) expect.fail(attached.problem.message);
  return BigInt(Transaction.fromRaw(attached.value.signed).vsize);
};

describe("a payment", () => {
  it("takes the smallest coin that is enough, and gives the rest back", () => {
    const psbt = built(situationOf([500_000n, 130_000n, 200_000n, 5_000n]));
    expect(amountsOf(psbt)).toEqual([130_000n]);
    expect(psbt).toMatchObject({ version: 2, lockTime: 800_000, inputs: [{ sequence: 0xffff_fffd }] });
    const fee = feeOfPsbt(psbt);
    expect(outputsOf(psbt)).toEqual([120_000n, 10_000n - fee]);
    expect(psbt.outputs.map(({ script }) => bytesToHex(script))).toEqual(
      [BITCOIN_RECIPIENT, BITCOIN_SENDER].map((address) => bytesToHex(paidTo(address))),
    );
  });

  it("takes the largest coins, as few as are enough, when no single one is", () => {
    expect(amountsOf(built(situationOf([40_000n, 5_000n, 70_000n, 60_000n])))).toEqual([70_000n, 60_000n]);
  });

  it("pays its rate for its size, to the byte or two that signatures may be shorter", () => {
    for (const amounts of [[130_000n], [70_000n, 60_000n], [50_000n, 50_000n, 50_000n]]) {
      const psbt = built(situationOf(amounts));
      const size = sizeOf(psbt);
      const spare = feeOfPsbt(psbt) - feeOf(RATE, size);
      expect(spare >= 0n && spare <= feeOf(RATE, BigInt(amounts.length))).toBe(true);
    }
  });

  it("leaves no dust: what is too little for an output goes into the fee", () => {
    // with one input, 141 virtual bytes for two outputs, 110 for one
    const [withChange, without] = [feeOf(RATE, 141n), feeOf(RATE, 110n)];
    expect(outputsOf(built(situationOf([120_000n + withChange + 294n])))).toEqual([120_000n, 294n]);
    const psbt = built(situationOf([120_000n + withChange + 293n]));
    expect([outputsOf(psbt), feeOfPsbt(psbt)]).toEqual([[120_000n], withChange + 293n]);
    expect(outputsOf(built(situationOf([120_000n + without])))).toEqual([120_000n]);
    expect(problemOf(build(situationOf([120_000n + without - 1n])))[0]).toBe("InsufficientFunds");
  });

  it("of a Taproot wallet is smaller, and proves no coins", () => {
    const coins = coinsOf([130_000n], TAPROOT_KEY.address);
    const act = authorisedBitcoin({ ...BTC_TRANSFER, from: TAPROOT_KEY.address });
    const psbt = built(situationOf([], { coins, unspent: coins }), { act, sender: TAPROOT_KEY.address });
    expect(psbt.inputs.map(({ previous }) => previous)).toEqual([undefined]);
    // input 57.5, outputs 31 and 43, and 10.5 for the frame
    expect(feeOfPsbt(psbt)).toBe(feeOf(RATE, 142n));
  });

  it("says what is needed and what there is when the wallet holds too little", () => {
    const [code, message] = problemOf(build(situationOf([1_000n, 2_000n])));
    expect([code, message]).toEqual([
      "InsufficientFunds",
      expect.stringMatching(/needed, the wallet can spend 3000; send it more, or ask for less$/),
    ]);
    expect(problemOf(build(situationOf([])))[0]).toBe("InsufficientFunds");
  });

  it("costs no more than the network's cap", () => {
    expect(problemOf(build(situationOf([1_000_000n], { rate: 800_000n })))).toEqual([
      "FeeAboveCap",
      "the fee of 112800 satoshis is above the cap of 100000 satoshis",
    ]);
  });

  it("INV-3 of any coins is what signers read, within their bounds", () => {
    const amounts = fc.array(fc.bigInt({ min: 294n, max: 300_000n }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        amounts,
        fc.bigInt({ min: 294n, max: 900_000n }),
        fc.bigInt({ min: 1_000n, max: 60_000n }),
        (held, amount, rate) => {
          const made = build(situationOf(held, { rate }), { act: pays(amount) });
          if (!made.ok) {
            expect(["InsufficientFunds", "FeeAboveCap"]).toContain(made.problem.code);
            return;
          }
          const read = readBitcoinTransaction(BITCOIN_SIGNET, made.value.unsigned, pays(amount));
          if (!read.ok) expect.fail(read.problem.message);
          const psbt = decodePsbt(made.value.unsigned);
          const size = psbt.ok ? sizeOf(psbt.value) : expect.fail("it is read");
          expect(read.value.fee >= feeOf(rate, size)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("two payments of one wallet", () => {
  const situation = situationOf([130_000n, 140_000n]);

  it("take different coins", () => {
    const first = built(situation);
    const second = built(situation, { alive: [encodePsbt(first)] });
    expect([amountsOf(first), amountsOf(second)]).toEqual([[130_000n], [140_000n]]);
  });

  it("wait for each other's change where there is nothing else", () => {
    const one = situationOf([500_000n]);
    const first = encodePsbt(built(one));
    const [code, message] = problemOf(build(one, { alive: [first] }));
    expect([code, message]).toEqual(["ServiceUnavailable", expect.stringMatching(/waiting for the change/)]);
    // `awaits` names the transactions with change for the wallet, the largest change first
    const little = encodePsbt(built(situationOf([130_000n])));
    const all = encodePsbt(built(situationOf([120_550n]), { act: pays(120_000n) }));
    expect(build(one, { alive: [all, little, first] })).toMatchObject({
      problem: { details: { awaits: [2, 1] } },
    });
    // the change of the waiting transaction is not enough for this payment
    expect(problemOf(build(one, { alive: [first], act: pays(490_000n) }))[0]).toBe("InsufficientFunds");
  });
});

describe("INV-5 coins that cost more than they hold", () => {
  const dust = Array.from({ length: 100 }, () => 1_000n);
  const dear = { rate: 50_000n };

  it("keep no payment from waiting for change that is enough", () => {
    const situation = situationOf([500_000n, ...dust], dear);
    const first = encodePsbt(built(situation));
    const later = pays(340_000n);
    expect(problemOf(build(situation, { alive: [first], act: later }))[0]).toBe("ServiceUnavailable");
    expect(amountsOf(built(situationOf([370_000n, ...dust], dear), { act: later }))).toEqual([370_000n]);
  });

  it("do not count as needed by a payment, nor as spendable by a wallet", () => {
    const [, message] = problemOf(build(situationOf([100_000n, ...dust], dear)));
    expect(message).toMatch(
      /: 125500 satoshis \(amount and fee\) are needed, the wallet can spend 100000; send it more, or ask for less$/,
    );
    expect(problemOf(build(situationOf(dust, dear)))[1]).toMatch(
      /the wallet can spend 0; send it more, or ask for less$/,
    );
  });
});

describe("INV-5 a payment whose coins the pool spends, as after blocks were undone", () => {
  it("waits for the spending transactions if the coins would be enough", () => {
    const undone = (amounts: readonly bigint[]) =>
      situationOf([], {
        unspent: coinsOf(amounts),
        inPool: amounts.reduce((sum, amount) => sum + amount, 0n),
      });
    const [code, message] = problemOf(build(undone([500_000n])));
    expect([code, message]).toEqual([
      "ServiceUnavailable",
      expect.stringMatching(/waiting for transactions that spend/),
    ]);
    expect(problemOf(build(undone([100_000n])))[0]).toBe("InsufficientFunds");
  });
});

describe("INV-4 a payment that is built again", () => {
  const situation = situationOf([130_000n, 300_000n, 5_000n]);
  const earlier = encodePsbt(built(situation));

  it("keeps its coins, at the fees of now", () => {
    const again = built(
      { ...situation, rate: 20_000n },
      { sequencing: { kind: "kept", sequence: undefined, earlier } },
    );
    expect(amountsOf(again)).toEqual([130_000n]);
    expect(feeOfPsbt(again)).toBe(feeOf(20_000n, 141n));
  });

  it("takes further coins when its own are not enough any more", () => {
    const dear = { ...situation, rate: 95_000n };
    const again = built(dear, { sequencing: { kind: "kept", sequence: undefined, earlier } });
    expect(amountsOf(again)).toEqual([130_000n, 300_000n]);
    const exclusions = [earlier, encodePsbt(again)].map((bytes) => {
      const read = readBitcoinTransaction(BITCOIN_SIGNET, bytes, authorisedBitcoin());
      return read.ok ? read.value.exclusion : expect.fail(read.problem.message);
    });
    const [before = new Uint8Array(0), now = new Uint8Array(0)] = exclusions;
    expect(sharesCoin(before, now)).toBe(true);
  });
});

const { from, to, amount } = BTC_TRANSFER;
const replaces = ["xfr-aaaaa-bbbbb-ccccccccccccccc"];
const speedUp = authorisedBitcoinTransaction({ kind: "SpeedUp", from, to, amount }, { replaces });
const cancel = authorisedBitcoinTransaction({ kind: "Cancel", from }, { replaces });

describe("a replacement of a waiting transaction (BIP-125)", () => {
  const situation = situationOf([130_000n, 300_000n]);
  const first = built(situation);
  const sequencing = { kind: "replacing", sequence: undefined, earlier: encodePsbt(first) } as const;
  const paid = feeOfPsbt(first);

  it("pays what was paid and a satoshi for each of its own virtual bytes, at least", () => {
    const faster = built(situation, { act: speedUp, sequencing });
    expect([amountsOf(faster), feeOfPsbt(faster)]).toEqual([[130_000n], paid + 141n]);
  });

  it("follows the market up to twice of what was paid", () => {
    const market = built({ ...situation, rate: 8_000n }, { act: speedUp, sequencing });
    expect(feeOfPsbt(market)).toBe(feeOf(8_000n, 141n));
    const hot = built({ ...situation, rate: 500_000n }, { act: speedUp, sequencing });
    expect(feeOfPsbt(hot)).toBe(2n * paid);
  });

  it("pays for all that leaves the pool with what it replaces", () => {
    const heavy = built({ ...situation, replacedWithDescendants: 9_000n }, { act: speedUp, sequencing });
    expect(feeOfPsbt(heavy)).toBe(9_000n + 141n);
  });

  it("cancelled, gives all coins back to the wallet alone", () => {
    const back = built(situation, { act: cancel, sequencing });
    expect([amountsOf(back), back.outputs.map(({ script }) => bytesToHex(script))]).toEqual([
      [130_000n],
      [bytesToHex(paidTo(BITCOIN_SENDER))],
    ]);
    // smaller than the replaced transaction, at a higher fee rate
    expect(feeOfPsbt(back)).toBe(paid + 110n);
  });

  it("keeps all coins of the line, and adds coins in blocks alone", () => {
    const tight = situationOf([120_600n, 50_000n]);
    const before = built(tight);
    const line = { kind: "replacing", sequence: undefined, earlier: encodePsbt(before) } as const;
    const after = built(tight, { act: speedUp, sequencing: line });
    expect([amountsOf(before), amountsOf(after)]).toEqual([[120_600n], [120_600n, 50_000n]]);
  });
});

describe("a caller's own PSBT", () => {
  const psbt = samplePsbt();
  const unsigned = encodePsbt(psbt);
  const act = authorisedPsbt(unsigned);
  const there = situationOf([100_000n, 100_000n]);

  it("stays as it is", () => {
    expect(build(there, { act })).toMatchObject({
      ok: true,
      value: { unsigned, sequence: undefined, details: { fee: "1000", inputs: 2 } },
    });
  });

  it.each<readonly [string, BitcoinSituation, Partial<TransactionIntent>, RegExp]>([
    ["spends what is spent", situationOf([100_000n]), {}, /is spent, or there is none/],
    [
      "spends what another one of the wallet spends",
      there,
      { alive: [encodePsbt(built(there, { act: pays(5_000n) }))] },
      /another transaction of the wallet spends/,
    ],
    [
      "is wrong about a coin",
      { ...there, coins: there.coins.map((coin) => ({ ...coin, amount: 7n })) },
      {},
      /holds 7 satoshis/,
    ],
    [
      "pays too little",
      { ...there, floor: { least: 6_000n, increment: 1_000n } },
      {},
      /too low: nodes ask for 1254/,
    ],
  ])("is refused when it %s", (_, situation, change, why) => {
    const [code, message] = problemOf(build(situation, { act, ...change }));
    expect([code, message]).toEqual(["TransactionInvalid", expect.stringMatching(why)]);
  });

  it("is refused with the names of its coins", () => {
    const [first] = psbt.inputs;
    const name = coinName(first?.outpoint ?? expect.fail("there is one"));
    expect(problemOf(build(situationOf([]), { act }))[1]).toContain(name);
    expect(inputOf(coinsOf([1n])[0] ?? expect.fail()).coin).toEqual(outputTo(BITCOIN_SENDER, 1n));
  });
});

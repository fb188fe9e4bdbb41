import { type Act, EXCLUSION_BYTES_MAX, networkSchema } from "@conclave/custody";
import { Transaction } from "@scure/btc-signer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  authorisedBitcoin,
  authorisedBitcoinTransaction,
  authorisedPsbt,
  BITCOIN_KEY,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  BTC_TRANSFER,
  coinsOf,
  fundingOf,
  outputTo,
  samplePsbt,
  TAPROOT_KEY,
} from "../testing/bitcoin-samples.ts";
import { attachBitcoinSignatures } from "./attach.ts";
import { buildBitcoin } from "./build.ts";
import type { BitcoinCoin } from "./coins/coin.ts";
import { feeOf } from "./coins/fees.ts";
import { STANDARD_WEIGHT_MAX, signedWeight } from "./coins/size.ts";
import { effectsOfBitcoin } from "./effects.ts";
import { sharesCoin } from "./exclusion.ts";
import { BITCOIN_FAMILY } from "./family.ts";
import { readBitcoinTransaction } from "./read.ts";
import { bitcoinTransactionSchema } from "./rules/act.ts";
import type { BitcoinSituation } from "./situation.ts";
import { decodePsbt, encodePsbt, type Psbt } from "./wire/psbt.ts";
import { segwitDigests } from "./wire/sighash.ts";
import { encodeTransaction, txidOf } from "./wire/transaction.ts";

/** One satoshi a virtual byte. */
const RATE = 1_000n;
const NETWORK = { ...BITCOIN_SIGNET, feeCap: "10000000" };

/** Coins at the first outputs of one transaction from a stranger. */
const coinsOfOne = (
  amounts: readonly bigint[],
  others = 0,
  owner = BITCOIN_SENDER,
): readonly BitcoinCoin[] => {
  const crowd = [...amounts, ...Array.from({ length: others }, () => 1_000n)];
  const payout = fundingOf(crowd, owner, others);
  const previous = owner === BITCOIN_SENDER ? encodeTransaction(payout) : undefined;
  const txid = txidOf(payout);
  return amounts.map((amount, index) => ({ outpoint: { txid, index }, amount, previous }));
};

const same = (count: number, amount: bigint): readonly bigint[] =>
  Array.from({ length: count }, () => amount);

const build = (
  coins: readonly BitcoinCoin[],
  act: Act,
  {
    sender = BITCOIN_SENDER,
    alive = [],
    ...change
  }: Partial<BitcoinSituation> & { readonly sender?: string; readonly alive?: readonly Uint8Array[] } = {},
) =>
  buildBitcoin(
    NETWORK,
    {
      height: 800_000n,
      medianTime: 1_700_000_000n,
      rate: RATE,
      floor: { least: 1_000n, increment: 1_000n },
      coins,
      inPool: 0n,
      unspent: coins,
      replacedWithDescendants: 0n,
      ...change,
    },
    { sender, keys: [], act, priority: undefined, sequencing: { kind: "next", lowest: 0n }, alive },
  );

const pays = (amount: bigint, from = BITCOIN_SENDER): Act =>
  authorisedBitcoin({ ...BTC_TRANSFER, from, amount: amount.toString() });
const gathers = (from = BITCOIN_SENDER, maxFee?: string): Act =>
  authorisedBitcoinTransaction({ kind: "Consolidate", from, ...(maxFee === undefined ? {} : { maxFee }) });

/** The built transaction, as signers read it. */
const readOf = (made: ReturnType<typeof build>, act: Act) => {
  if (!made.ok) expect.fail(made.problem.message);
  const read = readBitcoinTransaction(NETWORK, made.value.unsigned, act);
  if (!read.ok) expect.fail(read.problem.message);
  const psbt = decodePsbt(made.value.unsigned);
  if (!psbt.ok) expect.fail(psbt.problem.message);
  return { read: read.value, psbt: psbt.value, bytes: made.value.unsigned };
};
const messageOf = (made: ReturnType<typeof build>): string =>
  made.ok ? expect.fail("it is built") : made.problem.message;
const sumOf = (psbt: Psbt): bigint => psbt.inputs.reduce((sum, { coin }) => sum + coin.amount, 0n);

describe("K7 a wallet with many coins", () => {
  it("spends a coin that a transaction of 2400 outputs paid (74 605 bytes)", () => {
    const coins = coinsOfOne([5_000_000n], 2_399);
    expect(coins[0]?.previous?.length).toBeGreaterThan(74_000);
    const { psbt } = readOf(build(coins, pays(1_000_000n)), pays(1_000_000n));
    expect(sumOf(psbt)).toBe(5_000_000n);
  });

  it("spends a coin of the largest standard transaction, and of a coinbase four times as large", () => {
    // each output takes 31 bytes: 100 000 bytes weigh 400 000 units
    for (const others of [3_200, 12_800]) {
      const coins = coinsOfOne([5_000_000n], others);
      const { bytes } = readOf(build(coins, pays(1_000_000n)), pays(1_000_000n));
      expect(bytes.length).toBeGreaterThan(31 * others);
    }
  });

  it("spends as many coins of one payout of 31 kB as it needs", () => {
    const coins = coinsOfOne(same(1_000, 20_000n));
    for (const amount of [100_000n, 640_000n, 2_000_000n]) {
      const { psbt } = readOf(build(coins, pays(amount)), pays(amount));
      expect(sumOf(psbt)).toBeGreaterThanOrEqual(amount);
      expect(psbt.inputs.length).toBeLessThan(Number(amount / 19_900n) + 3);
    }
  });

  it("pays 1 000 000 with 60 coins of 20 000, each of a transaction of its own", () => {
    const { psbt, read } = readOf(build(coinsOf(same(60, 20_000n)), pays(1_000_000n)), pays(1_000_000n));
    expect(psbt.inputs.length).toBeGreaterThan(50);
    expect(read.signables.length).toBe(psbt.inputs.length);
    const signatures = read.signables.map(({ bytes }) => BITCOIN_KEY.sign(bytes));
    const attached = attachBitcoinSignatures(encodePsbt(psbt), signatures, [BITCOIN_KEY.publicKey]);
    if (!attached.ok) expect.fail(attached.problem.message);
    const scure = Transaction.fromRaw(attached.value.signed);
    expect([scure.id, scure.inputsLength]).toEqual([attached.value.txHash, psbt.inputs.length]);
    const scripts = psbt.outputs.map(({ script }) => script);
    const own = psbt.inputs[0]?.coin.script ?? expect.fail("it spends");
    const most = signedWeight(psbt.inputs.length, own, scripts);
    expect(scure.weight).toBeLessThanOrEqual(most);
    expect(scure.weight).toBeGreaterThan(most - 3 * psbt.inputs.length);
  });

  it("of a Taproot wallet spends hundreds of coins at once", () => {
    const coins = coinsOfOne(same(700, 20_000n), 0, TAPROOT_KEY.address);
    const act = pays(10_000_000n, TAPROOT_KEY.address);
    const { psbt, read } = readOf(build(coins, act, { sender: TAPROOT_KEY.address }), act);
    expect(psbt.inputs.length).toBeGreaterThan(500);
    expect(read.exclusion.length).toBeLessThanOrEqual(EXCLUSION_BYTES_MAX);
  });

  it("says which bound it meets, and a step that works: gathering, and then the same again", () => {
    const coins = coinsOfOne(same(400, 20_000n));
    const why = messageOf(build(coins, pays(6_000_000n)));
    expect(why).toMatch(
      /too small: the 256 largest, which are as many as one transaction spends, hold 5120000 satoshis/,
    );
    expect(why).toMatch(/transaction of kind Consolidate/);
    const { psbt } = readOf(build(coins, gathers()), gathers());
    const gathered = coinsOfOne([psbt.outputs[0]?.amount ?? 0n], 5);
    expect(build([...gathered, ...coins.slice(256)], pays(6_000_000n))).toMatchObject({ ok: true });
  });

  it("INV-5 waits while what gathers its coins holds enough for it, however many others there are", () => {
    const coins = coinsOfOne([10_000_000n, ...same(600, 20_000n)]);
    const gathering = readOf(build(coins, gathers()), gathers()).bytes;
    const during = (amount: bigint) => build(coins, pays(amount), { alive: [gathering] });
    for (const amount of [5_400_000n, 8_000_000n, 15_000_000n]) {
      expect(build(coins, pays(amount))).toMatchObject({ ok: true });
      expect(during(amount)).toMatchObject({
        problem: { code: "ServiceUnavailable", message: expect.stringMatching(/waiting for the change/) },
      });
    }
    expect(during(5_000_000n)).toMatchObject({ ok: true });
    // first more than the gathered coin and 255 others hold, then more than all coins hold
    expect(messageOf(during(21_000_000n))).toMatch(/coins are too small.*of kind Consolidate/);
    expect(messageOf(during(30_000_000n))).toMatch(/^insufficient funds/);
  });

  it("INV-5 never fails for want of coins that are being gathered, where it would be paid once they are", () => {
    const held = fc.array(
      fc.record({
        count: fc.integer({ min: 1, max: 150 }),
        amount: fc.bigInt({ min: 50n, max: 90_000n }),
      }),
      { minLength: 2, maxLength: 5 },
    );
    const large = fc.bigInt({ min: 100_000n, max: 9_000_000n });
    fc.assert(
      fc.property(held, large, fc.double({ min: 0, max: 1, noNaN: true }), (made, most, share) => {
        const coins = [most, ...made.flatMap(({ count, amount }) => same(count, amount))];
        const all = coinsOfOne(coins);
        const gathering = build(all, gathers());
        if (!gathering.ok) return;
        const { psbt, bytes } = readOf(gathering, gathers());
        const gone = new Set(psbt.inputs.map(({ outpoint }) => outpoint.index));
        const left = all.filter(({ outpoint }) => !gone.has(outpoint.index));
        const gathered = coinsOfOne([psbt.outputs[0]?.amount ?? 0n], 5);
        const sum = [...gathered, ...left].reduce((total, { amount }) => total + amount, 0n);
        const act = pays((sum * BigInt(Math.floor(share * 10_000))) / 10_000n + 300n);
        const during = build(all, act, { alive: [bytes], coins: left });
        if (during.ok || during.problem.code === "ServiceUnavailable") return;
        expect(build([...gathered, ...left], act).ok).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it("INV-5 waits for what spends its coins in the pool, however many others there are", () => {
    const [large, ...small] = coinsOfOne([10_000_000n, ...same(600, 20_000n)]);
    if (large === undefined) expect.fail("there is one");
    const undone = { unspent: [large, ...small], inPool: large.amount };
    expect(build(small, pays(8_000_000n), undone)).toMatchObject({
      problem: {
        code: "ServiceUnavailable",
        message: expect.stringMatching(/waiting for transactions that spend/),
      },
    });
    expect(messageOf(build(small, pays(16_000_000n), undone))).toMatch(/coins are too small/);
  });

  it("names the size of its coins' previous transactions if that is the bound", () => {
    const coins = Array.from({ length: 8 }, (_, at) => coinsOfOne([1_000_000n], 3_000 + at)).flat();
    const why = messageOf(build(coins, pays(7_000_000n)));
    expect(why).toMatch(
      /transactions that made the wallet's coins are too large.*together at most 524288 bytes.*5 coins that fit/,
    );
    const { psbt } = readOf(build(coins, gathers()), gathers());
    expect(psbt.inputs.length).toBe(5);
  });

  describe("whose previous transactions are too large for one transaction to prove two", () => {
    /** A coin whose previous transaction has 396 884 bytes, and 31 more for each step of `at`. */
    const ofLarge = (amount: bigint, at: number) => coinsOfOne([amount], 12_800 + at);
    const selfPayment = (why: string) => {
      const [, satoshis] = /send (\d+) satoshis to the wallet's own address/.exec(why) ?? [];
      const act = authorisedBitcoin({
        ...BTC_TRANSFER,
        from: BITCOIN_SENDER,
        to: BITCOIN_SENDER,
        amount: satoshis ?? expect.fail(why),
      });
      return { act, amount: BigInt(satoshis ?? 0) };
    };

    it.each([
      [1_000_000n, 1_000_000n],
      [1_000_000n, 400_000n],
      [400_000n, 1_000_000n],
    ])(
      "gets the advice to send one to itself, which works, and then the payment does: %d and %d",
      (one, other) => {
        const coins = [...ofLarge(one, 0), ...ofLarge(other, 1)];
        const act = pays(1_200_000n);
        for (const why of [messageOf(build(coins, act)), messageOf(build(coins, gathers()))]) {
          expect(why).toMatch(/too large/);
          expect(why).not.toMatch(/Consolidate|when fees are lower/);
          const { act: toSelf, amount } = selfPayment(why);
          const { psbt } = readOf(build(coins, toSelf), toSelf);
          expect([psbt.inputs.length, psbt.outputs]).toEqual([1, [outputTo(BITCOIN_SENDER, amount)]]);
          const [spent] = psbt.inputs;
          const left = coins.filter(({ outpoint }) => outpoint.txid !== spent?.outpoint.txid);
          const after = [...coinsOf([amount]), ...left];
          expect(build(after, act)).toMatchObject({ ok: true });
          expect(readOf(build(after, gathers()), gathers()).psbt.inputs).toHaveLength(2);
        }
      },
    );

    it("gets the advice to gather where that works", () => {
      const coins = [...ofLarge(1_000_000n, 0), ...ofLarge(1_000_000n, 1), ...coinsOf([30_000n])];
      expect(messageOf(build(coins, pays(1_200_000n)))).toMatch(/transaction of kind Consolidate/);
      expect(readOf(build(coins, gathers()), gathers()).psbt.inputs).toHaveLength(2);
    });

    it("gets only advice that works, whatever its coins are", () => {
      const made = fc.array(
        fc.record({
          bytes: fc.constantFrom(200, 5_000, 90_000, 200_000, 396_884, 500_000, 600_000),
          amount: fc.bigInt({ min: 1_000n, max: 90_000n }),
        }),
        { minLength: 2, maxLength: 5 },
      );
      fc.assert(
        fc.property(made, fc.double({ min: 0.3, max: 1, noNaN: true }), (makers, share) => {
          // builders look only at the size of a previous transaction, not at its content
          const coins = makers.flatMap(({ bytes, amount }) =>
            coinsOf([amount]).map((coin) => ({ ...coin, previous: new Uint8Array(bytes) })),
          );
          const sum = coins.reduce((total, { amount }) => total + amount, 0n);
          const amount = (sum * BigInt(Math.floor(share * 1_000))) / 1_000n + 300n;
          const paid = build(coins, pays(amount));
          if (paid.ok) return;
          const why = paid.problem.message;
          if (/kind Consolidate/.test(why)) expect(build(coins, gathers())).toMatchObject({ ok: true });
          if (/own address/.test(why)) expect(build(coins, selfPayment(why).act)).toMatchObject({ ok: true });
          if (/kind Consolidate|own address/.test(why)) return;
          const isHopeless = makers.filter(({ bytes }) => bytes < 600_000).length < 2;
          expect(why).toMatch(
            isHopeless ? /by smaller transactions|^insufficient funds/ : /^insufficient funds/,
          );
        }),
        { numRuns: 60 },
      );
    });
  });

  it("INV-3 signers refuse a transaction of more coins, or of more weight, than one may have", () => {
    const inputs = coinsOfOne(same(257, 1_000n)).map((coin) => ({ coin, of: BITCOIN_SENDER }));
    const many = samplePsbt({
      inputs: inputs.map(({ coin: { outpoint, amount, previous } }) => ({
        ...(samplePsbt().inputs[0] ?? expect.fail("there is one")),
        outpoint,
        coin: { amount, script: samplePsbt().inputs[0]?.coin.script ?? new Uint8Array(0) },
        previous,
      })),
      outputs: [outputTo(BITCOIN_SENDER, 200_000n)],
    });
    const bytes = encodePsbt(many);
    expect(readBitcoinTransaction(NETWORK, bytes, authorisedPsbt(bytes))).toMatchObject({
      problem: { code: "TransactionUnreadable", message: expect.stringMatching(/257 coins.*at most 256/) },
    });
    const heavy = samplePsbt({ outputs: same(3_300, 30n).map((amount) => outputTo(BITCOIN_SENDER, amount)) });
    const weighty = encodePsbt(heavy);
    expect(readBitcoinTransaction(NETWORK, weighty, authorisedPsbt(weighty))).toMatchObject({
      problem: { message: expect.stringMatching(/weigh \d+ weight units, and nodes relay at most 400000/) },
    });
  });

  it("INV-3 INV-4 of any coins, in any payouts, builds what signers read, within every bound", () => {
    const payouts = fc.array(
      fc.record({ count: fc.integer({ min: 1, max: 90 }), amount: fc.bigInt({ min: 300n, max: 90_000n }) }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(payouts, fc.bigInt({ min: 300n, max: 9_000_000n }), (made, amount) => {
        const coins = made.flatMap(({ count, amount: each }, at) => coinsOfOne(same(count, each), at));
        const act = pays(amount);
        const built = build(coins, act);
        if (!built.ok) {
          expect(built.problem.code).toBe("InsufficientFunds");
          return;
        }
        const { read, psbt, bytes } = readOf(built, act);
        expect(psbt.inputs.length).toBeLessThanOrEqual(256);
        expect(bytes.length).toBeLessThanOrEqual(512 * 1024);
        const digests = segwitDigests(psbt);
        expect(read.signables.map((signable) => signable.bytes)).toEqual(digests);
      }),
      { numRuns: 40 },
    );
  });
});

describe("K7 a consolidation", () => {
  it("is asked for without an address, and judged as what it may cost", () => {
    const network = networkSchema.parse(BITCOIN_SIGNET.network);
    const judged = BITCOIN_FAMILY.judgeTransaction(
      network,
      { kind: "Consolidate" },
      BITCOIN_SENDER,
      undefined,
    );
    if (!judged.ok) expect.fail(judged.problem.message);
    expect(bitcoinTransactionSchema.parse(judged.value)).toEqual({
      kind: "Consolidate",
      from: BITCOIN_SENDER,
    });
    expect(effectsOfBitcoin(BITCOIN_SIGNET, judged.value)).toMatchObject({ movements: [], fee: "100000" });
    const bounded = { kind: "Consolidate", maxFee: "700" } as const;
    const content = BITCOIN_FAMILY.judgeTransaction(network, bounded, BITCOIN_SENDER, undefined);
    expect(content.ok && effectsOfBitcoin(BITCOIN_SIGNET, content.value)).toMatchObject({ fee: "700" });
  });

  it("gathers all coins into one, and leaves out those that cost more than they hold", () => {
    const coins = [...coinsOf([50_000n, 20_000n, 30_000n, 67n]), ...coinsOfOne([69n], 9)];
    const { psbt, read } = readOf(build(coins, gathers()), gathers());
    expect(psbt.inputs.map(({ coin }) => coin.amount)).toEqual([50_000n, 30_000n, 20_000n, 69n]);
    expect(psbt.outputs).toEqual([outputTo(BITCOIN_SENDER, 100_069n - read.fee)]);
    expect(read.effects).toMatchObject({ movements: [] });
  });

  it("takes as many as one transaction spends, and as its most fee pays for", () => {
    const coins = coinsOfOne(same(400, 20_000n));
    const whole = readOf(build(coins, gathers()), gathers());
    expect(whole.psbt.inputs.length).toBe(256);
    const act = gathers(BITCOIN_SENDER, "700");
    const bounded = readOf(build(coins, act), act);
    expect(bounded.read.fee).toBeLessThanOrEqual(700n);
    expect(bounded.psbt.inputs.length).toBe(9);
  });

  it("INV-3 that costs more than its caller allows is refused by signers", () => {
    const coins = coinsOfOne(same(20, 20_000n));
    const made = build(coins, gathers());
    if (!made.ok) expect.fail(made.problem.message);
    expect(
      readBitcoinTransaction(NETWORK, made.value.unsigned, gathers(BITCOIN_SENDER, "700")),
    ).toMatchObject({
      problem: { code: "FeeAboveCap" },
    });
  });

  it("INV-3 that pays anybody else is refused by signers", () => {
    const bytes = encodePsbt(samplePsbt());
    expect(readBitcoinTransaction(NETWORK, bytes, gathers())).toMatchObject({
      problem: { code: "TransactionMismatch", details: { field: "outputs" } },
    });
  });

  it("of fewer than two coins that are worth it says so", () => {
    for (const amounts of [[], [5_000n], [5_000n, 60n]]) {
      expect(messageOf(build(coinsOf(amounts), gathers()))).toMatch(
        /nothing to gather: [01] of the wallet's/,
      );
    }
  });

  it("INV-4 is sped up with the very same coins and a higher fee", () => {
    const coins = coinsOfOne(same(30, 20_000n));
    const first = readOf(build(coins, gathers()), gathers());
    const speedUp = BITCOIN_FAMILY.replacements.speedUp({
      act: gathers(),
      sequence: undefined,
      signed: new Uint8Array(0),
    });
    if (!speedUp.ok) expect.fail(speedUp.problem.message);
    const act = authorisedBitcoinTransaction(bitcoinTransactionSchema.parse(speedUp.value), {
      replaces: ["tx-aaaaa-bbbbb-ccccccccccccccc"],
    });
    const made = buildBitcoin(
      NETWORK,
      {
        height: 800_000n,
        medianTime: 1_700_000_000n,
        rate: 5n * RATE,
        floor: { least: 1_000n, increment: 1_000n },
        coins: [...coins, ...coinsOf([900_000n])],
        inPool: 0n,
        unspent: coins,
        replacedWithDescendants: first.read.fee,
      },
      {
        sender: BITCOIN_SENDER,
        keys: [],
        act,
        priority: undefined,
        sequencing: { kind: "replacing", sequence: undefined, earlier: first.bytes },
        alive: [],
      },
    );
    const second = readOf(made, act);
    expect(second.psbt.inputs).toEqual(first.psbt.inputs);
    expect(second.read.fee).toBe(2n * first.read.fee);
    expect(sharesCoin(first.read.exclusion, second.read.exclusion)).toBe(true);
  });

  it("stays below the weight that nodes relay, of each kind of wallet", () => {
    for (const owner of [BITCOIN_SENDER, TAPROOT_KEY.address]) {
      const coins = coinsOfOne(same(1_500, 20_000n), 0, owner);
      const { psbt, read } = readOf(build(coins, gathers(owner), { sender: owner }), gathers(owner));
      const own = psbt.inputs[0]?.coin.script ?? expect.fail("it spends");
      expect(signedWeight(psbt.inputs.length, own, [own])).toBeLessThan(STANDARD_WEIGHT_MAX);
      expect(read.fee).toBe(feeOf(RATE, BigInt(Math.ceil(signedWeight(psbt.inputs.length, own, [own]) / 4))));
    }
  });
});

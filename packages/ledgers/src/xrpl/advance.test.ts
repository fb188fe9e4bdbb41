import { hexToBytes } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Payment } from "xrpl";
import { signAnything, TEST_NETWORK_ID, testWallet } from "../testing/xrpl-world.ts";
import { parseRippledAddress, type RippledAddress } from "./address.ts";
import { advanceXrpl, type RippledEffect, type RippledEvent } from "./advance.ts";
import { rippledAccountIn } from "./books.ts";
import { makeRippledGenesis } from "./genesis.ts";
import { latestRippledLedger, openXrpLedger, type RippledState } from "./state.ts";
import { readRippledTransaction } from "./transaction/read.ts";

const GENESIS = makeRippledGenesis(`${TEST_NETWORK_ID}`, "tests");
const SUPPLY = 100_000_000_000_000_000n;
const WALLETS = [testWallet(1), testWallet(2), testWallet(3)] as const;
const wallet = (at: number) => WALLETS[at % WALLETS.length] ?? WALLETS[0];
const CLOSE: RippledEvent = { kind: "close", time: 2_000 };

const opened = (): RippledState => openXrpLedger(GENESIS, 1_000);

const after = (state: RippledState, ...events: readonly RippledEvent[]): RippledState =>
  events.reduce((now, event) => advanceXrpl(now, event).state, state);

const addressOf = (at: number): RippledAddress => {
  const address = parseRippledAddress(wallet(at).address);
  if (address === undefined) throw new Error("the client's addresses are addresses");
  return address;
};

const fund = (at: number, amount: bigint): RippledEvent => ({ kind: "fund", address: addressOf(at), amount });

interface Paying {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  readonly fee: number;
  /** how far its sequence number is beyond the account's next one */
  readonly ahead?: number;
}

const payment = (state: RippledState, { from, to, amount, fee, ahead = 0 }: Paying): Uint8Array => {
  const transaction: Payment = {
    TransactionType: "Payment",
    Account: wallet(from).address,
    Destination: wallet(to).address,
    Amount: `${amount}`,
    Fee: `${fee}`,
    Sequence: (rippledAccountIn(state.open.books, addressOf(from))?.sequence ?? 1) + ahead,
    LastLedgerSequence: latestRippledLedger(state).index + 4,
    NetworkID: TEST_NETWORK_ID,
  };
  return hexToBytes(signAnything(transaction, wallet(from)).toLowerCase());
};

const submit = (state: RippledState, paying: Paying): RippledEvent => ({
  kind: "submit",
  blob: payment(state, paying),
  failHard: false,
});

const PAYING = { from: 0, to: 1, amount: 2_000_000, fee: 10 };
const funded = (): RippledState => after(opened(), fund(0, 30_000_000n), fund(1, 5_000_000n), CLOSE);

describe("a step of the ledger", () => {
  it("is deterministic for every caller", () => {
    const run = (): readonly (RippledState | readonly RippledEffect[])[] => {
      const step = advanceXrpl(funded(), submit(funded(), PAYING));
      return [after(step.state, CLOSE), step.effects];
    };
    expect(run()).toEqual(run());
  });

  it("does not change the state that it is given", () => {
    const waiting = after(funded(), submit(funded(), PAYING));
    const before = structuredClone(waiting);
    after(waiting, CLOSE, submit(waiting, { ...PAYING, to: 2 }), CLOSE, { kind: "drop", hash: undefined });
    expect(waiting).toEqual(before);
  });

  it("ledgers of other seeds, and of other networks, have other faucets", () => {
    const addresses = [
      GENESIS,
      makeRippledGenesis(`${TEST_NETWORK_ID}`, "other"),
      makeRippledGenesis("1025", "tests"),
    ].map(({ faucet }) => faucet.address);
    expect(new Set(addresses).size).toBe(3);
  });
});

const paying = fc.record({
  kind: fc.constant("pay" as const),
  from: fc.nat(1),
  to: fc.nat(2),
  amount: fc.oneof({ weight: 3, arbitrary: fc.nat(1_500_000) }, { weight: 1, arbitrary: fc.nat(40_000_000) }),
  fee: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 10, max: 6_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 8, max: 9 }) },
    { weight: 1, arbitrary: fc.nat(6_000_000) },
  ),
  ahead: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -1, max: 2 }) },
  ),
});

/** Counts over all runs, to check that the properties were not tested on empty ledgers. */
const seen = { validated: 0, claimed: 0 };

const lived = (happenings: readonly (RippledEvent | (Paying & { readonly kind: "pay" }))[]): RippledState => {
  const end = happenings.reduce(
    (state, each) => after(state, each.kind === "pay" ? submit(state, each) : each),
    funded(),
  );
  const closed = after(end, CLOSE);
  for (const { result, transaction } of closed.ledgers.flatMap(({ transactions }) => [
    ...transactions.values(),
  ])) {
    if (transaction.account === GENESIS.faucet.address) continue;
    if (result === "tesSUCCESS") seen.validated += 1;
    else seen.claimed += 1;
  }
  return closed;
};

const other = fc.constantFrom<RippledEvent>(
  CLOSE,
  CLOSE,
  { kind: "drop", hash: undefined },
  { kind: "delay", hash: undefined, ledgers: 1 },
  {
    kind: "set-fees",
    fees: { base: 10n, openLedger: 5_000n, reserveBase: 1_000_000n, reserveIncrement: 0n },
  },
  { kind: "set-fees", fees: { base: 10n, openLedger: 10n, reserveBase: 1_000_000n, reserveIncrement: 0n } },
);

const events = fc.array(fc.oneof({ weight: 3, arbitrary: paying }, { weight: 1, arbitrary: other }), {
  minLength: 5,
  maxLength: 15,
});

it("balances and burnt fees are all XRP, whatever is sent, and fees are all that is burnt", () => {
  fc.assert(
    fc.property(events, (happenings) => {
      const end = lived(happenings);
      const all = [...end.books.accounts.values()];
      const taken = end.ledgers.flatMap(({ transactions }) => [...transactions.values()]);
      const feesOf = (those: typeof taken) =>
        those.reduce((sum, { transaction }) => sum + transaction.fee, 0n);
      // if an account has less than the fee, its whole balance is burnt
      const short = feesOf(taken.filter(({ result }) => result === "tecINSUFF_FEE"));
      const burnt = SUPPLY - end.books.totalDrops;
      expect(all.reduce((sum, { balance }) => sum + balance, 0n)).toBe(SUPPLY - burnt);
      expect(latestRippledLedger(end).totalDrops).toBe(SUPPLY - burnt);
      expect(burnt <= feesOf(taken) && burnt >= feesOf(taken) - short).toBe(true);
      expect(all.every(({ balance }) => balance >= 0n)).toBe(true);
      expect(end.books.accountCount).toBe(end.books.accounts.size);
    }),
    { numRuns: 25 },
  );
});

it("an account that has less than the fee when its turn comes is left without anything, and no more is burnt", () => {
  const paid = after(funded(), submit(funded(), { from: 0, to: 1, amount: 1, fee: 10 }));
  // account 1 receives this payment in a later ledger than the payments that it makes itself
  const delayed = after(paid, { kind: "delay", hash: undefined, ledgers: 1 });
  const spent = after(delayed, submit(delayed, { from: 1, to: 0, amount: 800_412, fee: 538_503 }));
  const end = after(spent, submit(spent, { from: 1, to: 0, amount: 20, fee: 3_661_086 }), CLOSE);
  const results = end.ledgers.flatMap(({ transactions }) =>
    [...transactions.values()].map(({ result }) => result),
  );
  expect(results).toContain("tecINSUFF_FEE");
  expect(rippledAccountIn(end.books, addressOf(1))?.balance).toBe(0n);
  const balances = [...end.books.accounts.values()].reduce((sum, { balance }) => sum + balance, 0n);
  expect(balances).toBe(end.books.totalDrops);
});

it("each number of an account stands in one validated transaction, without a hole, whatever is sent", () => {
  fc.assert(
    fc.property(events, (happenings) => {
      const end = lived(happenings);
      for (const at of [0, 1]) {
        const numbers = end.ledgers
          .flatMap(({ transactions }) => [...transactions.values()])
          .filter(({ transaction }) => transaction.account === addressOf(at))
          .map(({ transaction }) => transaction.turn.value);
        // both accounts were created in ledger 2
        expect(numbers).toEqual(numbers.map((_, place) => 2 + place));
      }
    }),
    { numRuns: 25 },
  );
  expect(seen.validated).toBeGreaterThan(20);
  expect(seen.claimed).toBeGreaterThan(10);
});

describe("signed bytes", () => {
  it("with any one bit turned are refused", () => {
    const state = funded();
    const blob = payment(state, PAYING);
    expect(advanceXrpl(state, { kind: "submit", blob, failHard: false }).effects).toMatchObject([
      { kind: "judged", result: "tesSUCCESS", place: "open" },
    ]);
    const taken = [...blob.keys()].filter((at) => {
      const turned = blob.map((byte, place) => (place === at ? byte ^ (1 << (at % 8)) : byte));
      const [effect] = advanceXrpl(state, { kind: "submit", blob: turned, failHard: false }).effects;
      return effect?.kind === "judged" && effect.result !== "temDISABLED";
    });
    expect(taken).toEqual([]);
  });

  it("of any kind are read or refused, and never break the ledger", () => {
    const state = opened();
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 30, maxLength: 200 }), fc.boolean(), (bytes, isPayment) => {
        const blob = isPayment ? Uint8Array.from([0x12, 0, 0, ...bytes]) : bytes;
        const [effect] = advanceXrpl(state, { kind: "submit", blob, failHard: false }).effects;
        expect(effect?.kind === "judged" ? effect.result : effect?.kind).toMatch(/^(invalid|temDISABLED)$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe("transactions of the network", () => {
  // a Payment that a node answered with "tesSUCCESS", and the AccountSet that the tests of ripple-lib and xrpl.js share
  it.each([
    [
      "a payment",
      "12000022800000002400000065614000000001312D0068400000000000000A73210343B79C8821E986D2C0579352AF4DC5F1C8C5917B9ACB" +
        "C1C9742DF68A5ED46BBB74473045022100A0DAD123FD7180AEC1E5B726E91B5CDF35A7F686A9347E9696E3A96A5004696C0220485ABA1A81" +
        "B9F1A1D6D5EC3558D2998ED17CF1CA78B833111C4D7851B2B7B345811400FA9B7F6C173DA71141FEE1A78E36BCE87B78508314795F3331E3" +
        "703194E40500782F262D8BA7FCA424",
      {
        hash: "819E42C4B4EF2D94268D9D17EB901CB4407E47B69BE695631155CB7F91D38A30",
        account: "rraBDW7zYFUUcJoVyC6Dk9jZYQxf6V1Mkj",
        turn: { kind: "sequence", value: 101 },
        fee: 10n,
        act: { kind: "Payment", destination: "rUhkoFgPEJXEN7yYxYqkTZA3HUCJm422Mj", amount: 20_000_000n },
      },
    ],
    [
      "a change of an account",
      "12000322800000002400000017201B0086955368400000000000000C732102F89EAEC7667B30F33D0687BBA86C3FE2A08CCA40A9186C5BDE" +
        "2DAA6FA97A37D874473045022100BDE09A1F6670403F341C21A77CF35BA47E45CDE974096E1AA5FC39811D8269E702203D60291B9A27F1DC" +
        "ABA9CF5DED307B4F23223E0B6F156991DB601DFB9C41CE1C770A726970706C652E636F6D81145E7B112523F68D2F5E879DB4EAC51C6698A6" +
        "9304",
      {
        hash: "02ACE87F1996E3A23690A5BB7F1774BF71CCBA68F79805831B42ABAD5913D6F4",
        account: "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59",
        lastLedgerSequence: 8_820_051,
        act: { kind: "AccountSet", domain: "726970706C652E636F6D" },
      },
    ],
  ])("%s is read, named and verified alike", (_, hex, transaction) => {
    expect(readRippledTransaction(Buffer.from(hex, "hex"))).toMatchObject({
      ok: true,
      value: { kind: "transaction", transaction },
    });
  });
});

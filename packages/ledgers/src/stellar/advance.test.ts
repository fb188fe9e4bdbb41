import { Account, Asset, Operation, TransactionBuilder } from "@stellar/stellar-sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PASSPHRASE, stellarKey } from "../testing/stellar-world.ts";
import { horizonAddress } from "./address.ts";
import { advanceStellar, type HorizonEffect, type HorizonEvent } from "./advance.ts";
import { accountEntry, stellarEntriesIn } from "./books.ts";
import { makeHorizonGenesis, STELLAR_SUPPLY } from "./genesis.ts";
import { reserveOf } from "./operations/reserve.ts";
import { type HorizonState, latestLedger, openStellarLedger } from "./state.ts";
import { decodeXdr, encodeXdr } from "./xdr/codec.ts";
import { xdrEnvelope } from "./xdr/envelope.ts";

const GENESIS = makeHorizonGenesis(PASSPHRASE, "tests");
const KEYS = [stellarKey(1), stellarKey(2), stellarKey(3)] as const;
const keyAt = (at: number) => KEYS[at % KEYS.length] ?? KEYS[0];
const addressAt = (at: number) => horizonAddress(keyAt(at).rawPublicKey());
const TIME = 1_000n;
const MINE: HorizonEvent = { kind: "mine", time: TIME };

const opened = (): HorizonState => openStellarLedger(GENESIS, TIME);
const after = (state: HorizonState, ...events: readonly HorizonEvent[]): HorizonState =>
  events.reduce((now, event) => advanceStellar(now, event).state, state);
const fund = (at: number, amount: bigint): HorizonEvent => ({
  kind: "fund",
  address: addressAt(at),
  amount,
  time: TIME,
});
const lumensOf = (stroops: bigint): string =>
  `${stroops / 10_000_000n}.${(stroops % 10_000_000n).toString().padStart(7, "0")}`;

interface Doing {
  readonly from: number;
  readonly to: number;
  readonly amount: bigint;
  readonly what: "pay" | "create" | "merge" | "data";
}

const envelope = (state: HorizonState, { from, to, amount, what }: Doing): Uint8Array => {
  const sequence = accountEntry(state.books, addressAt(from))?.sequence ?? 0n;
  const source = new Account(keyAt(from).publicKey(), sequence.toString());
  const destination = keyAt(to).publicKey();
  const operations = {
    pay: () => Operation.payment({ destination, asset: Asset.native(), amount: lumensOf(amount + 1n) }),
    create: () => Operation.createAccount({ destination, startingBalance: lumensOf(amount) }),
    merge: () => Operation.accountMerge({ destination }),
    data: () => Operation.manageData({ name: `${amount % 3n}`, value: amount % 2n === 0n ? "x" : null }),
  };
  const transaction = new TransactionBuilder(source, { fee: "100", networkPassphrase: PASSPHRASE })
    .addOperation(operations[what]())
    .setTimeout(0)
    .build();
  transaction.sign(keyAt(from));
  return Uint8Array.from(transaction.toEnvelope().toXDR());
};

const submit = (state: HorizonState, doing: Doing): HorizonEvent => ({
  kind: "submit",
  bytes: envelope(state, doing),
  time: TIME,
});

const PAYMENT: Doing = { from: 0, to: 1, amount: 20_000_000n, what: "pay" };

describe("a step of the ledger", () => {
  it("is deterministic for every caller", () => {
    const run = (): readonly (HorizonState | readonly HorizonEffect[])[] => {
      const funded = after(opened(), fund(0, 1_000_000_000n), fund(1, 100_000_000n), MINE);
      const step = advanceStellar(funded, submit(funded, PAYMENT));
      return [after(step.state, MINE), step.effects];
    };
    expect(run()).toEqual(run());
  });

  it("does not change the state that it is given", () => {
    const funded = after(opened(), fund(0, 1_000_000_000n), MINE);
    const waiting = after(funded, submit(funded, PAYMENT));
    const before = structuredClone(waiting);
    after(waiting, MINE, { kind: "drop", id: undefined }, MINE);
    expect(waiting).toEqual(before);
  });

  it("ledgers of other seeds have other faucets", () => {
    expect(makeHorizonGenesis(PASSPHRASE, "other").faucet.address).not.toBe(GENESIS.faucet.address);
  });
});

const doing = fc.record({
  from: fc.nat(2),
  to: fc.nat(2),
  amount: fc.oneof(fc.bigInt(0n, 40_000_000n), fc.bigInt(0n, 500_000_000n)),
  what: fc.constantFrom("pay" as const, "create" as const, "merge" as const, "data" as const),
});
const other = fc.constantFrom<HorizonEvent>(
  MINE,
  { kind: "drop", id: undefined },
  { kind: "delay", id: undefined, ledgers: 1 },
  { kind: "set-fees", fees: { minimum: 200n, surge: 0n } },
  { kind: "set-fees", fees: { minimum: 100n, surge: 0n } },
);

/** The total lumens of all accounts. */
const lumensHeld = ({ books }: HorizonState): bigint =>
  stellarEntriesIn(books).reduce(
    (sum, { data }) => sum + (data.type === "account" ? data.value.balance : 0n),
    0n,
  );

it("no transaction creates or destroys stroops, and every account counts its entries correctly", () => {
  const start = after(opened(), fund(0, 300_000_000n), fund(1, 100_000_000n), MINE);
  fc.assert(
    fc.property(fc.array(fc.oneof(doing, other), { maxLength: 15 }), (happenings) => {
      const end = after(
        happenings.reduce((state, each) => after(state, "what" in each ? submit(state, each) : each), start),
        MINE,
      );
      expect(lumensHeld(end) + latestLedger(end).header.feePool).toBe(STELLAR_SUPPLY);
      for (const [at] of KEYS.entries()) {
        const account = accountEntry(end.books, addressAt(at));
        if (account === undefined) continue;
        const own = stellarEntriesIn(end.books).filter(
          ({ data }) => data.type === "data" && data.value.account === account.address,
        );
        expect(account.subentries).toBe(own.length);
        expect(account.balance).toBeGreaterThanOrEqual(reserveOf(account, 5_000_000n) - 10_000n);
      }
    }),
    { numRuns: 40 },
  );
});

describe("signed bytes", () => {
  const funded = after(opened(), fund(0, 1_000_000_000n), fund(1, 100_000_000n), MINE);
  const bytes = envelope(funded, PAYMENT);
  const taken = (sent: Uint8Array): boolean => {
    const [effect] = advanceStellar(funded, { kind: "submit", bytes: sent, time: TIME }).effects;
    return effect?.kind === "submitted" && effect.reply.status === "PENDING";
  };

  it("are taken as they are, and with any one bit turned they are refused", () => {
    expect(taken(bytes)).toBe(true);
    const turned = [...bytes.keys()].filter((at) =>
      taken(bytes.map((byte, place) => (place === at ? byte ^ (1 << (at % 8)) : byte))),
    );
    expect(turned).toEqual([]);
  });

  it("cut short or made longer are refused", () => {
    const cut = [...bytes.keys()].filter((length) => taken(bytes.slice(0, length)));
    expect([cut, taken(Uint8Array.from([...bytes, 0, 0, 0, 0]))]).toEqual([[], false]);
  });

  it("are written as they were read", () => {
    const read = decodeXdr(xdrEnvelope, bytes);
    if (!read.ok) throw new Error(read.message);
    expect(encodeXdr(xdrEnvelope, read.value)).toEqual(Uint8Array.from(bytes));
  });

  it("of any kind are read or refused, and never break the ledger", () => {
    const state = opened();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (noise, looksRight) => {
        const sent = looksRight ? Uint8Array.from([...bytes.slice(0, 48), ...noise]) : noise;
        const [effect] = advanceStellar(state, { kind: "submit", bytes: sent, time: TIME }).effects;
        expect(effect?.kind === "unreadable" || effect?.kind === "submitted").toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

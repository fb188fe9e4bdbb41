import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { algorandExclusion } from "./algorand/exclusion.ts";
import { ALGORAND_FAMILY } from "./algorand/family.ts";
import { exclusionOf } from "./evm/exclusion.ts";
import { EVM_FAMILY } from "./evm/family.ts";
import { solanaExclusion } from "./solana/exclusion.ts";
import { SOLANA_FAMILY } from "./solana/family.ts";
import { stellarExclusion } from "./stellar/exclusion.ts";
import { STELLAR_FAMILY } from "./stellar/family.ts";
import { ALGORAND_SENDER, ALGORAND_TESTNET } from "./testing/algorand-samples.ts";
import { type ChainModel, excludesSoundly } from "./testing/exclusion-property.ts";
import { STELLAR_RECIPIENT, STELLAR_SENDER, STELLAR_TESTNET } from "./testing/stellar-samples.ts";
import { TOY_FAMILY } from "./testing/toy/index.ts";
import { XRPL_RECIPIENT, XRPL_SENDER } from "./testing/xrpl-samples.ts";
import { TRON_EXCLUSION } from "./tron/exclusion.ts";
import { TRON_FAMILY } from "./tron/family.ts";
import { xrplExclusion } from "./xrpl/exclusion.ts";
import { XRPL_FAMILY } from "./xrpl/family.ts";

interface SolanaModelTransaction {
  readonly blockhash: number;
  readonly price: number;
}

/** Equal messages land once; two different ones can both land, whatever they share. */
const SOLANA_MODEL: ChainModel<SolanaModelTransaction> = {
  transactions: fc.record({ blockhash: fc.nat(1), price: fc.nat(2) }),
  exclusionOf: ({ blockhash, price }) => solanaExclusion(new Uint8Array(80).fill(blockhash).fill(price, 75)),
  deadlineMs: () => undefined,
  canBothLand: (first, second) => first.blockhash !== second.blockhash || first.price !== second.price,
};

interface EvmModelTransaction {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly payload: number;
}

/** One transaction lands per chain and account nonce; equal bytes are the same transaction. */
const EVM_MODEL: ChainModel<EvmModelTransaction> = {
  transactions: fc.record({
    chainId: fc.bigInt({ min: 1n, max: 2n }),
    nonce: fc.bigInt({ min: 0n, max: 2n }),
    payload: fc.nat(2),
  }),
  exclusionOf: ({ chainId, nonce }) => exclusionOf(chainId, nonce),
  deadlineMs: () => undefined,
  canBothLand: (first, second) => first.chainId !== second.chainId || first.nonce !== second.nonce,
};

interface AlgorandModelTransaction {
  /** zero: no lease */
  readonly lease: number;
  readonly firstValid: bigint;
  readonly lastValid: bigint;
  readonly payload: number;
}

const roundsOf = ({ firstValid, lastValid }: AlgorandModelTransaction): readonly bigint[] =>
  Array.from({ length: Number(lastValid - firstValid) + 1 }, (_, at) => firstValid + BigInt(at));

/** Whether the second transaction can land after the first, in the same round or a later one. */
const canFollow = (first: AlgorandModelTransaction, second: AlgorandModelTransaction): boolean =>
  roundsOf(first).some((landed) =>
    roundsOf(second).some(
      (round) =>
        round >= landed && (first.lease === 0 || first.lease !== second.lease || round > first.lastValid),
    ),
  );

/** A landed transaction holds its lease until its own last round; equal bytes are the same transaction. */
const ALGORAND_MODEL: ChainModel<AlgorandModelTransaction> = {
  transactions: fc
    .record({
      lease: fc.nat(2),
      firstValid: fc.bigInt({ min: 1n, max: 4n }),
      rounds: fc.bigInt({ min: 0n, max: 3n }),
      payload: fc.nat(2),
    })
    .map(({ rounds, ...transaction }) => ({ ...transaction, lastValid: transaction.firstValid + rounds })),
  exclusionOf: ({ lease, lastValid }) =>
    algorandExclusion({
      genesisHash: ALGORAND_TESTNET.genesisHash,
      from: ALGORAND_SENDER,
      lease: lease === 0 ? undefined : new Uint8Array(32).fill(lease),
      lastValid,
    }),
  deadlineMs: () => undefined,
  canBothLand: (first, second) =>
    !isDeepStrictEqual(first, second) && (canFollow(first, second) || canFollow(second, first)),
};

interface XrplModelTransaction {
  readonly networkId: number;
  readonly from: string;
  readonly sequence: number;
  readonly payload: number;
}

/** One transaction lands per Sequence of an account on a chain, whatever its ledger bounds. */
const XRPL_MODEL: ChainModel<XrplModelTransaction> = {
  transactions: fc.record({
    networkId: fc.nat(1),
    from: fc.constantFrom(XRPL_SENDER, XRPL_RECIPIENT),
    sequence: fc.integer({ min: 1, max: 3 }),
    payload: fc.nat(2),
  }),
  exclusionOf: (transaction) => xrplExclusion(transaction, transaction),
  deadlineMs: () => undefined,
  canBothLand: (first, second) =>
    first.networkId !== second.networkId || first.from !== second.from || first.sequence !== second.sequence,
};

interface StellarModelTransaction {
  readonly chain: string;
  readonly from: string;
  readonly sequence: bigint;
  readonly maxTimeMs: number;
  readonly payload: number;
}

/** One transaction lands per sequence number of an account, within its time; equal bytes are the same transaction. */
const STELLAR_MODEL: ChainModel<StellarModelTransaction> = {
  transactions: fc.record({
    chain: fc.constantFrom(STELLAR_TESTNET.passphrase, "another chain"),
    from: fc.constantFrom(STELLAR_SENDER, STELLAR_RECIPIENT),
    sequence: fc.bigInt({ min: 1n, max: 2n }),
    maxTimeMs: fc.integer({ min: 1, max: 7_200_000 }),
    payload: fc.nat(2),
  }),
  exclusionOf: ({ chain, ...standing }) => stellarExclusion(chain, standing),
  deadlineMs: ({ maxTimeMs }) => maxTimeMs,
  canBothLand: (first, second) =>
    first.chain !== second.chain || first.from !== second.from || first.sequence !== second.sequence,
};

interface TronModelTransaction {
  readonly expirationMs: number;
  readonly payload: number;
}

/** A signed transaction may land until it expires, beside any other; equal bytes are the same transaction. */
const TRON_MODEL: ChainModel<TronModelTransaction> = {
  transactions: fc.record({ expirationMs: fc.integer({ min: 1, max: 7_200_000 }), payload: fc.nat(2) }),
  exclusionOf: () => TRON_EXCLUSION,
  deadlineMs: ({ expirationMs }) => expirationMs,
  canBothLand: (first, second) => !isDeepStrictEqual(first, second),
};

interface ToyModelTransaction {
  readonly deadlineMs: number;
  readonly payload: number;
}

/** A signed transaction may land within its window, beside any other. */
const TOY_MODEL: ChainModel<ToyModelTransaction> = {
  transactions: fc.record({ deadlineMs: fc.integer({ min: 1, max: 7_200_000 }), payload: fc.nat(2) }),
  exclusionOf: ({ payload }) => Uint8Array.of(payload),
  deadlineMs: ({ deadlineMs }) => deadlineMs,
  canBothLand: () => true,
};

describe("INV-4 the transaction that may follow another", () => {
  it("is never a second one that could land beside it: EVM", () => {
    excludesSoundly(EVM_FAMILY.excludes, EVM_MODEL);
  });

  it("is never a second one that could land beside it: a chain with validity windows", () => {
    excludesSoundly(TOY_FAMILY.excludes, TOY_MODEL);
  });

  it("is never a second one that could land beside it: a chain on which nothing excludes anything", () => {
    excludesSoundly(TRON_FAMILY.excludes, TRON_MODEL);
    expect(TRON_FAMILY.excludes(TRON_EXCLUSION, TRON_EXCLUSION)).toBe(false);
    expect(() => excludesSoundly(() => true, TRON_MODEL)).toThrow("Property failed");
  });

  it("is never a second one that could land beside it: a chain that counts no transactions", () => {
    excludesSoundly(SOLANA_FAMILY.excludes, SOLANA_MODEL);
  });

  it("is never a second one that could land beside it: a chain with leases", () => {
    excludesSoundly(ALGORAND_FAMILY.excludes, ALGORAND_MODEL);
  });

  it("is never a second one that could land beside it: a chain with sequences that become free again", () => {
    excludesSoundly(XRPL_FAMILY.excludes, XRPL_MODEL);
    const of = (change: object) =>
      XRPL_MODEL.exclusionOf({ networkId: 1, from: XRPL_SENDER, sequence: 5, payload: 0, ...change });
    expect(XRPL_FAMILY.excludes(of({}), of({ payload: 1 }))).toBe(true);
    for (const change of [{ networkId: 0 }, { from: XRPL_RECIPIENT }, { sequence: 6 }]) {
      expect(XRPL_FAMILY.excludes(of({}), of(change))).toBe(false);
    }
    for (const junk of [new Uint8Array(), Uint8Array.of(1), Uint8Array.of(1, 2)]) {
      expect(XRPL_FAMILY.excludes(junk, junk)).toBe(false);
    }
  });

  it("is never a second one that could land beside it: a chain with sequence numbers and times", () => {
    excludesSoundly(STELLAR_FAMILY.excludes, STELLAR_MODEL);
    expect(() => excludesSoundly(() => true, STELLAR_MODEL)).toThrow("Property failed");
  });

  it("follows from the chain's rule: the same sequence number of the same account", () => {
    const of = (change: object) =>
      STELLAR_MODEL.exclusionOf({
        chain: "a",
        from: STELLAR_SENDER,
        sequence: 1n,
        maxTimeMs: 1,
        payload: 0,
        ...change,
      });
    expect(STELLAR_FAMILY.excludes(of({}), of({ maxTimeMs: 9, payload: 1 }))).toBe(true);
    for (const change of [{ chain: "b" }, { from: STELLAR_RECIPIENT }, { sequence: 2n }]) {
      expect(STELLAR_FAMILY.excludes(of({}), of(change))).toBe(false);
    }
    for (const junk of [new Uint8Array(), Uint8Array.of(1), of({}).with(0, 0)]) {
      expect(STELLAR_FAMILY.excludes(junk, junk)).toBe(false);
    }
  });

  it("fails for a rule that only needs the same lease and overlapping rounds", () => {
    const LEASE_END = 1 + 32 + 32 + 32;
    const sameLease = (earlier: Uint8Array, later: Uint8Array) =>
      earlier[0] === 1 && Buffer.compare(earlier.subarray(0, LEASE_END), later.subarray(0, LEASE_END)) === 0;
    expect(() => excludesSoundly(sameLease, ALGORAND_MODEL)).toThrow("Property failed");
  });

  it("follows from the chain's rule where it allows one: the same lease to the same round", () => {
    const of = (change: object) =>
      ALGORAND_MODEL.exclusionOf({ lease: 1, firstValid: 1n, lastValid: 9n, payload: 0, ...change });
    expect(ALGORAND_FAMILY.excludes(of({}), of({ firstValid: 5n, payload: 1 }))).toBe(true);
    for (const change of [{ lease: 2 }, { lastValid: 8n }, { lastValid: 10n }]) {
      expect(ALGORAND_FAMILY.excludes(of({}), of(change))).toBe(false);
    }
    expect(ALGORAND_FAMILY.excludes(of({ lease: 0 }), of({ lease: 0 }))).toBe(false);
    const another = of({}).with(40, 0xff);
    expect(ALGORAND_FAMILY.excludes(of({}), another)).toBe(false);
    for (const junk of [new Uint8Array(), Uint8Array.of(1), Uint8Array.of(1, 2)]) {
      expect(ALGORAND_FAMILY.excludes(junk, junk)).toBe(false);
    }
  });

  it("fails for a rule that excludes everything", () => {
    expect(() => excludesSoundly(() => true, EVM_MODEL)).toThrow("Property failed");
    expect(() => excludesSoundly(() => true, TOY_MODEL)).toThrow("Property failed");
    expect(() => excludesSoundly(() => true, ALGORAND_MODEL)).toThrow("Property failed");
    expect(() => excludesSoundly(() => true, XRPL_MODEL)).toThrow("Property failed");
  });
});

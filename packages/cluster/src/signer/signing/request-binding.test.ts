import { DEAD_TRANSACTIONS_MAX, type DeadTransactions } from "@conclave/custody";
import { testParty } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import {
  configOf,
  deadOf,
  nameOf,
  reader,
  requestIdOf,
  START_MS,
  transactionIdOf,
  transactionOf,
} from "../../testing/fixtures.ts";
import { BOUND_EXCLUSION_BYTES_MAX, BOUND_TRANSACTIONS_MAX, DEADLINE_MARGIN_MS } from "../limits.ts";
import { type ReadRecord, recallPast } from "../records/history.ts";
import { RECORDS, type RequestRecord } from "../records/record.ts";
import { bindingConflict, bindRequest } from "./request-binding.ts";
import type { RequestClaim } from "./request-claim.ts";

const config = configOf(testParty(1), 3, 2);
const NETWORK = "EthereumSepolia";
const FORGET_MS = START_MS + 1_000_000_000;
/** A chain on which no transaction excludes another. */
const NOTHING_EXCLUDES = -1;

interface Wish {
  readonly id?: string;
  readonly nonce?: number;
  readonly deadlineMs?: number;
  readonly amount?: string;
  readonly replaces?: readonly string[];
  readonly network?: string;
  readonly forgetAtMs?: number;
}

const bytesOf = ({ nonce = 7, amount = "1000", deadlineMs }: Wish): Uint8Array =>
  transactionOf(nonce, amount, deadlineMs);

const claimOf = (wish: Wish = {}): RequestClaim => {
  const { id = requestIdOf(1), nonce = 7, deadlineMs, replaces = [], network = NETWORK } = wish;
  const exclusion = reader.exclusionOfNonce(BigInt(nonce));
  const digest = nameOf(bytesOf(wish));
  const transaction = { network, digest, exclusion, deadlineMs, unsigned: undefined };
  return {
    requestId: id,
    replaces,
    transaction,
    keyIds: [],
    requestedAtMs: 0,
    forgetAtMs: wish.forgetAtMs ?? FORGET_MS,
  };
};

const nothing: ReadRecord = () => undefined;

/** The store after these writes. */
const written =
  (before: ReadRecord, puts: ReturnType<typeof bindRequest>): ReadRecord =>
  (name) =>
    puts.find(({ record }) => record === name)?.value ?? before(name);

/** A signer's store after it has signed all of these, one after another. */
const signed = (...wishes: readonly Wish[]): ReadRecord =>
  wishes.reduce((before, wish) => written(before, bindRequest(before, claimOf(wish))), nothing);

/** A store with this record of one request. */
const holding = (id: string, record: RequestRecord): ReadRecord => {
  const value = RECORDS.request.write(record);
  return written(nothing, [{ record: RECORDS.request.name(id), value, forgetAtMs: record.forgetAtMs }]);
};

const boundTo = (history: ReadRecord, id: string): RequestRecord | undefined =>
  recallPast(history, RECORDS.request, id);

interface Circumstances {
  readonly dead?: DeadTransactions;
  readonly nowMs?: number;
}

const codeOf = (
  history: ReadRecord,
  wish: Wish,
  { dead, nowMs = START_MS }: Circumstances = {},
): string | undefined => bindingConflict({ state: { history, config }, dead, nowMs }, claimOf(wish))?.code;

const REFUSED = "TransactionNotExcluding";

describe("INV-4 a further transaction of a request", () => {
  test("that is the very same is signed again", () => {
    const wish = { nonce: NOTHING_EXCLUDES };
    expect(codeOf(signed(wish), wish)).toBeUndefined();
    const bound = signed(wish);
    expect(bindRequest(bound, claimOf(wish))).toEqual([]);
  });

  test("that is one of several that were signed is signed again, without the statement by which it followed the others", () => {
    const later = { nonce: NOTHING_EXCLUDES, amount: "999" };
    const both = signed({ nonce: NOTHING_EXCLUDES }, later);
    expect(codeOf(both, later)).toBeUndefined();
    expect(codeOf(both, { ...later, network: "Ethereum" })).toBe(REFUSED);
    expect(codeOf(both, { ...later, amount: "998" })).toBe(REFUSED);
  });

  test("that excludes what was signed is signed, and bound beside it", () => {
    const bound = signed({ nonce: 7 });
    expect(codeOf(bound, { nonce: 7, amount: "999" })).toBeUndefined();
    const puts = bindRequest(bound, claimOf({ nonce: 7, amount: "999" }));
    expect(puts.map(({ record }) => record)).toEqual([RECORDS.request.name(requestIdOf(1))]);
    expect(boundTo(written(bound, puts), requestIdOf(1))?.transactions).toEqual([
      {
        exclusion: reader.exclusionOfNonce(7n),
        deadlineMs: undefined,
        digests: [nameOf(bytesOf({ nonce: 7 })), nameOf(bytesOf({ nonce: 7, amount: "999" }))],
      },
    ]);
  });

  test("that excludes none is refused, and says of which request", () => {
    const problem = bindingConflict(
      { state: { history: signed({ nonce: 7 }), config }, dead: undefined, nowMs: START_MS },
      claimOf({ nonce: 8 }),
    );
    expect(problem).toMatchObject({ code: REFUSED, details: { requestId: requestIdOf(1) } });
    const wish = { nonce: NOTHING_EXCLUDES };
    expect(codeOf(signed(wish), { ...wish, amount: "999" })).toBe(REFUSED);
  });

  test("must exclude every one that was signed, not only the last", () => {
    const dead = deadOf(1, [bytesOf({ nonce: 7 })]);
    expect(codeOf(signed({ nonce: 7 }), { nonce: 8 }, { dead })).toBeUndefined();
    const both = signed({ nonce: 7 }, { nonce: 8 });
    expect(codeOf(both, { nonce: 8, amount: "999" })).toBe(REFUSED);
    expect(codeOf(both, { nonce: 7, amount: "999" })).toBe(REFUSED);
    expect(codeOf(both, { nonce: 8, amount: "999" }, { dead })).toBeUndefined();
  });

  test("on another network is refused, whatever it excludes and whatever is dead", () => {
    const dead = deadOf(1, [bytesOf({ nonce: 7 })], { network: "Ethereum" });
    expect(codeOf(signed({ nonce: 7 }), { nonce: 7, network: "Ethereum" }, { dead })).toBe(REFUSED);
  });

  test("of another request is free, and what is no transaction is bound to nothing", () => {
    const bound = signed({ nonce: 7 });
    expect(codeOf(bound, { id: requestIdOf(2), nonce: 8 })).toBeUndefined();
    const message = { ...claimOf(), transaction: undefined };
    expect(
      bindingConflict({ state: { history: bound, config }, dead: undefined, nowMs: START_MS }, message),
    ).toBeUndefined();
    expect(bindRequest(bound, message)).toEqual([]);
  });
});

describe("INV-4 a transaction that the authority says is dead may be followed", () => {
  const deadlineMs = START_MS + 30_000;
  const windowed = { nonce: NOTHING_EXCLUDES, deadlineMs };
  const next = { nonce: NOTHING_EXCLUDES, deadlineMs: deadlineMs + 60_000 };
  const dead = deadOf(1, [bytesOf(windowed)]);
  const lateMs = deadlineMs + DEADLINE_MARGIN_MS + 1;

  test("once its own deadline has passed by the margin on the signer's clock, and not a millisecond before", () => {
    const bound = signed(windowed);
    expect(codeOf(bound, next, { dead, nowMs: START_MS })).toBe("DeadlineNotPassed");
    expect(codeOf(bound, next, { dead, nowMs: deadlineMs + DEADLINE_MARGIN_MS })).toBe("DeadlineNotPassed");
    expect(codeOf(bound, next, { dead, nowMs: lateMs })).toBeUndefined();
  });

  test("and says that it is only too early when nothing else stands in the way", () => {
    const other = { ...windowed, amount: "999" };
    const both = signed(windowed, other);
    expect(codeOf(both, next, { dead, nowMs: START_MS })).toBe(REFUSED);
    expect(codeOf(both, next, { dead, nowMs: lateMs })).toBe(REFUSED);
    const ofBoth = deadOf(1, [bytesOf(windowed), bytesOf(other)]);
    expect(codeOf(both, next, { dead: ofBoth, nowMs: START_MS })).toBe("DeadlineNotPassed");
    const third = { ...windowed, amount: "998" };
    expect(codeOf(both, third, { dead: ofBoth, nowMs: START_MS })).toBe("DeadlineNotPassed");
    expect(codeOf(both, next, { dead: ofBoth, nowMs: lateMs })).toBeUndefined();
    const elsewhere = signed(windowed, { id: requestIdOf(2), nonce: 9 });
    const replacing = { ...next, replaces: [requestIdOf(2)] };
    expect(codeOf(elsewhere, replacing, { dead, nowMs: START_MS })).toBe(REFUSED);
  });

  test("and never without the authority's statement, however late it is", () => {
    expect(codeOf(signed(windowed), next, { nowMs: lateMs + 1_000_000_000 })).toBe(REFUSED);
  });

  test("at once when its bytes hold no time", () => {
    const bound = signed({ nonce: 7 });
    const statement = deadOf(1, [bytesOf({ nonce: 7 })]);
    expect(codeOf(bound, { nonce: 8 }, { dead: statement })).toBeUndefined();
  });

  test.each<readonly [string, DeadTransactions]>([
    ["of another request", deadOf(2, [bytesOf(windowed)])],
    ["of another network", deadOf(1, [bytesOf(windowed)], { network: "Ethereum" })],
    ["of other transactions", deadOf(1, [bytesOf(next)])],
  ])("but not by a statement %s", (_, statement) => {
    expect(codeOf(signed(windowed), next, { dead: statement, nowMs: lateMs })).toBe(REFUSED);
  });

  test("but not when the statement names only some of what was signed", () => {
    const other = { ...windowed, amount: "999" };
    const later = { ...windowed, deadlineMs: deadlineMs - 5_000 };
    const bound = signed(windowed, other, later);
    expect(boundTo(bound, requestIdOf(1))?.transactions.map(({ digests }) => digests.length)).toEqual([2, 1]);
    const all = [windowed, other, later].map(bytesOf);
    for (const left of all) {
      const some = deadOf(
        1,
        all.filter((bytes) => bytes !== left),
      );
      expect(codeOf(bound, next, { dead: some, nowMs: lateMs })).toBe(REFUSED);
    }
    expect(codeOf(bound, next, { dead: deadOf(1, all), nowMs: lateMs })).toBeUndefined();
  });

  test("but not when one of the dead has a deadline that has not passed", () => {
    const longer = { ...windowed, deadlineMs: deadlineMs + 1 };
    const both = deadOf(1, [windowed, longer].map(bytesOf));
    expect(codeOf(signed(windowed, longer), next, { dead: both, nowMs: lateMs })).toBe("DeadlineNotPassed");
    expect(codeOf(signed(windowed, longer), next, { dead: both, nowMs: lateMs + 1 })).toBeUndefined();
  });

  test("but not any more when more were signed alike than a statement can name: then only the rule of the chain counts", () => {
    const many = Array.from({ length: DEAD_TRANSACTIONS_MAX }, (_, at) => ({ nonce: 7, amount: `${at}` }));
    const full = signed(...many);
    const statement = deadOf(1, many.map(bytesOf));
    expect(codeOf(full, { nonce: 8 }, { dead: statement })).toBeUndefined();
    const over = signed(...many, { nonce: 7 });
    expect(boundTo(over, requestIdOf(1))?.transactions).toMatchObject([{ digests: [] }]);
    expect(codeOf(over, { nonce: 8 }, { dead: statement })).toBe(REFUSED);
    expect(codeOf(over, { nonce: 7, amount: "one more" })).toBeUndefined();
    expect(bindRequest(over, claimOf({ nonce: 7, amount: "one more" }))).toEqual([]);
  });

  test("but not what an older version signed: which bytes it were, nobody kept", () => {
    const old: RequestRecord = {
      version: 2,
      transactions: [{ exclusion: reader.exclusionOfNonce(7n), digests: [] }],
      forgetAtMs: FORGET_MS,
    };
    const bound = holding(requestIdOf(1), old);
    const statement = deadOf(1, [bytesOf({ nonce: 7 })]);
    expect(codeOf(bound, { nonce: 8 }, { dead: statement })).toBe(REFUSED);
    expect(codeOf(bound, { nonce: 7 })).toBeUndefined();
    expect(codeOf(bound, { nonce: 7, network: "Ethereum" })).toBeUndefined(); // its record had no network
  });
});

describe("INV-4 a request and those whose place it takes", () => {
  const line = [transactionIdOf(2), requestIdOf(1)];
  const newest = { id: transactionIdOf(3), replaces: line };

  test("are one line: what was signed for any of them counts for the newest", () => {
    for (const id of line) {
      const bound = signed({ id, nonce: 7 });
      const problem = bindingConflict(
        { state: { history: bound, config }, dead: undefined, nowMs: START_MS },
        claimOf({ ...newest, nonce: 8 }),
      );
      expect(problem).toMatchObject({
        code: REFUSED,
        details: { requestId: transactionIdOf(3), replaces: id },
      });
      expect(codeOf(bound, { ...newest, nonce: 7 })).toBeUndefined();
    }
  });

  test("are all bound by what is signed for the newest, with a write for each", () => {
    const puts = bindRequest(nothing, claimOf({ ...newest, nonce: 7 }));
    const requests = written(nothing, puts);
    expect(puts.map(({ record }) => record)).toEqual(
      [transactionIdOf(3), ...line].map((id) => RECORDS.request.name(id)),
    );
    for (const id of line) {
      expect(codeOf(requests, { id, nonce: 8 })).toBe(REFUSED);
      expect(codeOf(requests, { id, nonce: 7, amount: "999" })).toBeUndefined();
    }
  });

  test("may be named by a statement for any of them, and by none for a stranger", () => {
    const bound = signed({ id: requestIdOf(1), nonce: 7 });
    const transactions = [bytesOf({ nonce: 7 })];
    for (const id of [transactionIdOf(3), ...line]) {
      expect(codeOf(bound, { ...newest, nonce: 8 }, { dead: deadOf(id, transactions) })).toBeUndefined();
    }
    const stranger = deadOf(transactionIdOf(9), transactions);
    expect(codeOf(bound, { ...newest, nonce: 8 }, { dead: stranger })).toBe(REFUSED);
    // a statement on a replacement is not valid for the request that it replaced
    const later = deadOf(transactionIdOf(3), transactions);
    expect(codeOf(bound, { nonce: 8 }, { dead: later })).toBe(REFUSED);
  });

  test("are remembered as long as the newest may be signed", () => {
    const bound = signed({ id: requestIdOf(1), nonce: 7, forgetAtMs: FORGET_MS });
    const later = claimOf({ ...newest, nonce: 7, forgetAtMs: FORGET_MS + 5_000 });
    const puts = bindRequest(bound, later);
    expect(puts).toHaveLength(3);
    const [first, ...others] = puts.toSorted((one, other) => (one.record < other.record ? 1 : -1));
    expect(first).toMatchObject({ forgetAtMs: FORGET_MS + 5_000, insteadOfMs: FORGET_MS });
    for (const each of others) expect(each).not.toHaveProperty("insteadOfMs");
    const requests = written(bound, puts);
    expect(boundTo(requests, requestIdOf(1))?.forgetAtMs).toBe(FORGET_MS + 5_000);
    const earlier = bindRequest(requests, claimOf({ nonce: 7, amount: "999" }));
    expect(earlier).toMatchObject([{ forgetAtMs: FORGET_MS + 5_000 }]);
    expect(boundTo(written(requests, earlier), requestIdOf(1))?.forgetAtMs).toBe(FORGET_MS + 5_000);
  });
});

describe("INV-4 a signer's memory of requests", () => {
  test("is the same after a restart: a record holds all of it", () => {
    const deadlineMs = START_MS + 30_000;
    const bound = signed({ nonce: 7 }, { nonce: NOTHING_EXCLUDES, deadlineMs });
    const record = RECORDS.request.name(requestIdOf(1));
    const kept = boundTo(bound, requestIdOf(1)) ?? expect.fail("it is bound");
    expect(RECORDS.request.read({ record, value: RECORDS.request.write(kept) })).toEqual(kept);
  });

  test("has room for so many transactions of a request that exclude one another differently", () => {
    const exclusions = Array.from({ length: BOUND_TRANSACTIONS_MAX }, (_, at) => ({
      exclusion: reader.exclusionOfNonce(BigInt(at)),
      digests: [],
    }));
    const record: RequestRecord = {
      version: 2,
      network: NETWORK,
      transactions: exclusions,
      forgetAtMs: FORGET_MS,
    };
    const history = holding(requestIdOf(1), record);
    const all = { ...config, reader: { ...reader, excludes: () => true } };
    const judge = (nonce: number) =>
      bindingConflict(
        { state: { history, config: all }, dead: undefined, nowMs: START_MS },
        claimOf({ nonce }),
      )?.code;
    expect(judge(BOUND_TRANSACTIONS_MAX)).toBe("TooManySessions");
    expect(judge(0)).toBeUndefined();
  });

  test("K7 has room for so many bytes of what they exclude", () => {
    const longest = new Uint8Array(BOUND_EXCLUSION_BYTES_MAX - 8);
    const transactions = [{ exclusion: longest, deadlineMs: undefined, digests: [] }];
    const record: RequestRecord = { version: 2, network: NETWORK, transactions, forgetAtMs: FORGET_MS };
    const history = holding(requestIdOf(1), record);
    const all = { ...config, reader: { ...reader, excludes: () => true } };
    const judge = (exclusion: Uint8Array) => {
      const claim = claimOf({ nonce: 0 });
      const transaction = claim.transaction ?? expect.fail("it claims one");
      return bindingConflict(
        { state: { history, config: all }, dead: undefined, nowMs: START_MS },
        { ...claim, transaction: { ...transaction, exclusion } },
      )?.code;
    };
    expect(judge(new Uint8Array(8).fill(1))).toBeUndefined();
    expect(judge(new Uint8Array(9).fill(1))).toBe("TooManySessions");
  });
});

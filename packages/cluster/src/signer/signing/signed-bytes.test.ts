import { describe, expect, test } from "vitest";
import { nameOf, requestIdOf, START_MS, transactionIdOf } from "../../testing/fixtures.ts";
import { BOUND_BYTES_MAX } from "../limits.ts";
import type { ReadRecord } from "../records/history.ts";
import { RECORDS } from "../records/record.ts";
import { bindRequest } from "./request-binding.ts";
import { signedForRequest as answerOf, type SignedForRequest } from "./signed-bytes.ts";

const ID = requestIdOf(1);

/** The answer of a signer whose store has lost at most bindings up to `lostMs`. */
const signedForRequest = (history: ReadRecord, requestId: string, lostMs = 0): SignedForRequest =>
  answerOf(history, { requestId, requestedAtMs: START_MS }, lostMs);
const nothing: ReadRecord = () => undefined;

interface Wish {
  readonly unsigned: Uint8Array;
  readonly id?: string;
  readonly replaces?: readonly string[];
  readonly forgetAtMs?: number;
  /** whether the authorisation itself has the bytes */
  readonly isAuthorised?: boolean;
}

const writesOf = (before: ReadRecord, wish: Wish) => {
  const { unsigned, id = ID, replaces = [], forgetAtMs = START_MS, isAuthorised = false } = wish;
  return bindRequest(before, {
    requestId: id,
    replaces,
    keyIds: [],
    requestedAtMs: 0,
    forgetAtMs,
    transaction: {
      network: "EthereumSepolia",
      digest: nameOf(unsigned),
      exclusion: Uint8Array.of(7),
      deadlineMs: undefined,
      unsigned: isAuthorised ? undefined : unsigned,
    },
  });
};

/** The store after all of these were signed, one after another. */
const signed = (...wishes: readonly Wish[]): ReadRecord =>
  wishes.reduce<ReadRecord>((before, wish) => {
    const puts = writesOf(before, wish);
    return (name) => puts.find(({ record }) => record === name)?.value ?? before(name);
  }, nothing);

const [one, two, three] = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];

describe("INV-4 a signer says what it has signed for a request", () => {
  test("that is nothing for one that it does not know", () => {
    expect(signedForRequest(nothing, ID)).toEqual({ isBound: false, isWhole: true, transactions: [] });
  });

  test("and says that it does not know all of what may be lost with an older store", () => {
    const [lost, kept] = [START_MS, START_MS - 1].map((lostMs) => signedForRequest(nothing, ID, lostMs));
    expect([lost?.isWhole, kept?.isWhole]).toEqual([false, true]);
    // an older orchestrator does not send the date of the request
    expect(answerOf(nothing, { requestId: ID, requestedAtMs: 0 }, 1).isWhole).toBe(false);
    expect(answerOf(nothing, { requestId: ID, requestedAtMs: 0 }, 0).isWhole).toBe(true);
  });

  test("all of it, the latest last, and each once", () => {
    const history = signed({ unsigned: one }, { unsigned: two }, { unsigned: one });
    expect(signedForRequest(history, ID)).toEqual({
      isBound: true,
      isWhole: true,
      transactions: [one, two],
    });
    expect(writesOf(history, { unsigned: one })).toEqual([]);
  });

  test("for the one that it replaces as well", () => {
    const later = transactionIdOf(2);
    const history = signed({ unsigned: one }, { unsigned: two, id: later, replaces: [ID] });
    expect(signedForRequest(history, ID).transactions).toEqual([one, two]);
    expect(signedForRequest(history, later).transactions).toEqual([two]);
  });

  test("as long as it is bound to it", () => {
    const history = signed({ unsigned: one });
    const again = writesOf(history, { unsigned: one, forgetAtMs: START_MS + 5 });
    const forgotten = { forgetAtMs: START_MS + 5, insteadOfMs: START_MS };
    expect(again).toMatchObject([
      { record: RECORDS.request.name(ID), ...forgotten },
      { record: RECORDS.signedBytes.name(ID), ...forgotten },
    ]);
  });

  test("or that it does not know all of it: an older version kept no bytes, and they may stand in the authorisation", () => {
    const history = signed({ unsigned: one, isAuthorised: true }, { unsigned: two });
    expect(signedForRequest(history, ID)).toEqual({ isBound: true, isWhole: false, transactions: [two] });
    // once signed again, their bytes are kept
    const again = signed({ unsigned: one, isAuthorised: true }, { unsigned: one });
    expect(signedForRequest(again, ID)).toEqual({ isBound: true, isWhole: true, transactions: [one] });
  });

  test("the latest alone, where all of them are more than it keeps", () => {
    const long = new Uint8Array(BOUND_BYTES_MAX - 1);
    const history = signed({ unsigned: one }, { unsigned: two }, { unsigned: long }, { unsigned: three });
    expect(signedForRequest(history, ID).isWhole).toBe(false);
    const lengths = signedForRequest(history, ID).transactions.map(({ length }) => length);
    expect(lengths).toEqual([long.length, three.length]);
  });
});

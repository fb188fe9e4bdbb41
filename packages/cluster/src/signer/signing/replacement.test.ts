import { testSessionId } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { TestCluster } from "../../testing/cluster.ts";
import {
  authoriseTransaction,
  authoriseTransfer,
  KEY_ID,
  requestIdOf,
  transactionOf,
} from "../../testing/fixtures.ts";
import { DEADLINE_AHEAD_MS_MAX } from "../limits.ts";

type Authorisation = ReturnType<typeof authoriseTransfer>;

/** Asks three signers to sign. */
const beginAll = (cluster: TestCluster, name: string, authorisation: Authorisation, unsigned: Uint8Array) => {
  const expiresAtMs = cluster.world.nowMs() + 20_000;
  return [1, 2, 3].map((signer) =>
    cluster.call(signer, (call) => ({
      kind: "signing",
      call,
      session: testSessionId(name),
      quorum: [1, 2, 3],
      keyId: KEY_ID,
      authorisation,
      unsigned,
      presignatures: [],
      dead: undefined,
      expiresAtMs,
    })),
  );
};

test("INV-4 signers that received different requests for the same bytes do not sign together", () => {
  const cluster = new TestCluster({ seed: "different requests", size: 5, threshold: 3, engine: "tiny" });
  const expiresAtMs = cluster.world.nowMs() + 20_000;
  const begin = (name: string, nonce: number, nonces: Readonly<Record<number, number>>) => {
    const quorum = Object.keys(nonces).map(Number);
    return quorum.map((signer) =>
      cluster.call(signer, (call) => ({
        kind: "signing",
        call,
        session: testSessionId(name),
        quorum,
        keyId: KEY_ID,
        authorisation: authoriseTransfer(nonces[signer] ?? 0),
        unsigned: transactionOf(nonce),
        presignatures: [],
        dead: undefined,
        expiresAtMs,
      })),
    );
  };
  // otherwise signer 3 would be free to sign another transaction of the first request with 4 and 5
  const mixed = begin("mixed", 7, { 1: 1, 2: 1, 3: 2 });
  cluster.rest(30_000);
  expect(lastWords(mixed)).not.toContain("signed");
  expect(cluster.ledger.partials).toEqual([]);
});

const lastWords = (calls: ReturnType<typeof beginAll>) =>
  calls.map(({ heard }) => {
    const word = heard.at(-1);
    return word?.kind === "refusal" ? word.problem.code : word?.kind;
  });

/** The answers of three signers to one command to sign. */
const signAll = (cluster: TestCluster, name: string, authorisation: Authorisation, unsigned: Uint8Array) => {
  const calls = beginAll(cluster, name, authorisation, unsigned);
  cluster.rest(200);
  return lastWords(calls);
};
const allSay = (word: string) => [word, word, word];

test("INV-3 a transaction is signed when it does what was authorised, and not when it pays something else", () => {
  const cluster = new TestCluster({ seed: "transaction", engine: "tiny" });
  const authorisation = authoriseTransaction(1);
  expect(signAll(cluster, "a", authorisation, transactionOf(7, "1001"))).toEqual(
    allSay("TransactionMismatch"),
  );
  expect(signAll(cluster, "b", authorisation, transactionOf(7))).toEqual(allSay("signed"));
  expect(signAll(cluster, "c", authorisation, transactionOf(8))).toEqual(allSay("TransactionNotExcluding"));
});

test("INV-5 a transfer is signed with a deadline of at most a day: no other could be signed for it before that has passed", () => {
  const cluster = new TestCluster({ seed: "deadline", engine: "tiny" });
  const latest = cluster.world.nowMs() + DEADLINE_AHEAD_MS_MAX;
  const later = transactionOf(7, "1000", latest + 1_000);
  expect(signAll(cluster, "a", authoriseTransfer(1), later)).toEqual(allSay("TransactionMismatch"));
  expect(signAll(cluster, "b", authoriseTransfer(1), transactionOf(7, "1000", latest))).toEqual(
    allSay("signed"),
  );
  // the caller of a transaction chooses the deadline in its bytes
  expect(signAll(cluster, "c", authoriseTransaction(2), later)).toEqual(allSay("signed"));
});

test("INV-4 a replacement is signed when it excludes what it replaces, and under no other nonce", () => {
  const cluster = new TestCluster({ seed: "replacement", engine: "tiny" });
  expect(signAll(cluster, "first", authoriseTransfer(1), transactionOf(7))).toEqual(allSay("signed"));
  const misled = authoriseTransaction(2, [requestIdOf(1)]);
  expect(signAll(cluster, "misled", misled, transactionOf(8))).toEqual(allSay("TransactionNotExcluding"));
  const replacement = authoriseTransaction(3, [requestIdOf(1)]);
  expect(signAll(cluster, "second", replacement, transactionOf(7))).toEqual(allSay("signed"));
});

test("INV-4 the replaced transaction is signed under the same nonce afterwards, if it never was before", () => {
  const cluster = new TestCluster({ seed: "replaced", engine: "tiny" });
  const replacement = authoriseTransaction(2, [requestIdOf(1)]);
  expect(signAll(cluster, "second", replacement, transactionOf(7))).toEqual(allSay("signed"));
  expect(signAll(cluster, "first", authoriseTransfer(1), transactionOf(8))).toEqual(
    allSay("TransactionNotExcluding"),
  );
  expect(signAll(cluster, "first again", authoriseTransfer(1), transactionOf(7))).toEqual(allSay("signed"));
});

test("INV-4 of a request and its replacement that are signed side by side under two nonces only one is", () => {
  const cluster = new TestCluster({ seed: "side by side", engine: "tiny" });
  const first = beginAll(cluster, "first", authoriseTransfer(1), transactionOf(8));
  const second = beginAll(cluster, "second", authoriseTransaction(2, [requestIdOf(1)]), transactionOf(7));
  cluster.rest(200);
  const words = [lastWords(first), lastWords(second)].map((all) => all.every((word) => word === "signed"));
  expect(words.filter((isSigned) => isSigned).length).toBeLessThan(2);
});

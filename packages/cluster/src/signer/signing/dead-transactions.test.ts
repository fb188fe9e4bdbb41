import type { SignedAuthorisation } from "@conclave/custody";
import { testSessionId } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { CONFIRMED_MS, TestCluster } from "../../testing/cluster.ts";
import {
  authoriseDead,
  authoriseTransfer,
  KEY_ID,
  requestIdOf,
  START_MS,
  transactionOf,
} from "../../testing/fixtures.ts";
import { DEADLINE_MARGIN_MS, REQUEST_AGE_MS_MAX } from "../limits.ts";
import { RECORDS } from "../records/record.ts";

const DEADLINE_MS = START_MS + 30_000;
/** Transactions of a chain on which none excludes another; only a deadline ends their chance to land. */
const first = transactionOf(-1, "1000", DEADLINE_MS);
const second = transactionOf(-1, "1000", DEADLINE_MS + 600_000);

const open = () => new TestCluster({ seed: "dead", size: 3, threshold: 2, engine: "tiny" });

/** The answer of a quorum to a command to sign a transaction of the first transfer. */
const signAll = (
  cluster: TestCluster,
  unsigned: Uint8Array,
  dead: SignedAuthorisation | undefined,
  quorum: readonly number[] = [1, 2],
) => {
  const expiresAtMs = cluster.world.nowMs() + 20_000;
  const session = testSessionId(`${cluster.world.nowMs()}`);
  const calls = quorum.map((signer) =>
    cluster.call(signer, (call) => ({
      kind: "signing",
      call,
      session,
      quorum,
      keyId: KEY_ID,
      authorisation: authoriseTransfer(1),
      unsigned,
      presignatures: [],
      dead,
      expiresAtMs,
    })),
  );
  cluster.rest(200);
  return calls.map(({ heard }) => {
    const word = heard.at(-1);
    return word?.kind === "refusal" ? word.problem.code : word?.kind;
  });
};

const all = (word: string) => [word, word];
const REFUSED = all("TransactionNotExcluding");
const EARLY = all("DeadlineNotPassed");

test("INV-4 a transaction follows a dead one after its deadline, the margin and the authority's word, over restarts", () => {
  const cluster = open();
  expect(signAll(cluster, first, undefined)).toEqual(all("signed"));
  const dead = authoriseDead(1, [first]);
  expect(signAll(cluster, second, dead)).toEqual(EARLY);
  cluster.kill(1, 2, 3);
  cluster.restart(1, 2, 3);
  cluster.rest(DEADLINE_MS + DEADLINE_MARGIN_MS - cluster.world.nowMs() - 1_000);
  expect(signAll(cluster, second, dead)).toEqual(EARLY);
  cluster.rest(1_000);
  expect(signAll(cluster, second, undefined)).toEqual(REFUSED);
  cluster.ledger.bury(first); // from here on the ledger accepts a second transaction; it throws if a signer signs one earlier
  expect(signAll(cluster, second, dead)).toEqual(all("signed"));
  cluster.kill(1, 2, 3);
  cluster.restart(1, 2, 3);
  cluster.rest(CONFIRMED_MS);
  // the database lost the statement and the transaction that was signed by it
  expect(signAll(cluster, second, undefined)).toEqual(all("signed"));
  expect(signAll(cluster, second, dead)).toEqual(all("signed"));
  const third = transactionOf(-1, "1000", DEADLINE_MS + 900_000);
  expect(signAll(cluster, third, dead)).toEqual(REFUSED);
});

test("INV-4 one signer that remembers is enough: any other quorum has it, or signed nothing before", () => {
  const cluster = open();
  expect(signAll(cluster, first, undefined)).toEqual(all("signed"));
  expect(signAll(cluster, second, undefined, [2, 3])[0]).toBe("TransactionNotExcluding");
  expect(signAll(cluster, second, undefined, [1, 3])[0]).toBe("TransactionNotExcluding");
  cluster.rest(20_000);
  expect(cluster.ledger.partials.map(({ signer }) => signer).sort()).toEqual([1, 2]);
});

const old = new Date(START_MS - REQUEST_AGE_MS_MAX).toISOString();
const statement = authoriseDead(1, [first]);

test.each<readonly [string, SignedAuthorisation, string]>([
  [
    "that the authority did not sign",
    { ...statement, signature: new Uint8Array(64) },
    "AuthorisationInvalid",
  ],
  ["that was changed", { ...statement, payload: statement.payload.with(90, 0x39) }, "AuthorisationInvalid"],
  ["that is too old", authoriseDead(1, [first], { date: old }), "AuthorisationNotCurrent"],
  ["that is of another kind", authoriseTransfer(1), "AuthorisationInvalid"],
])("INV-4 INV-8 a statement %s is refused, and nothing is signed or bound", (_, dead, code) => {
  const cluster = open();
  cluster.rest(DEADLINE_MS + DEADLINE_MARGIN_MS - START_MS);
  expect(signAll(cluster, second, dead)).toEqual(all(code));
  expect(cluster.node(1).records.has(RECORDS.request.name(requestIdOf(1)))).toBe(false);
});

test("INV-4 of two transactions that are under way at once for one request, the one that is later at a signer is refused", () => {
  const cluster = open();
  const expiresAtMs = START_MS + 20_000;
  const calls = [first, second].flatMap((unsigned, at) =>
    [1, 2].map((signer) =>
      cluster.call(signer, (call) => ({
        kind: "signing",
        call,
        session: testSessionId(`race/${at}`),
        quorum: [1, 2],
        keyId: KEY_ID,
        authorisation: authoriseTransfer(1),
        unsigned,
        presignatures: [],
        dead: undefined,
        expiresAtMs,
      })),
    ),
  );
  cluster.rest(30_000); // the ledger throws when a signer signs both transactions
  const words = calls.map(({ heard }) => heard.at(-1)?.kind);
  expect(words.filter((word) => word === "signed").length).toBeLessThanOrEqual(2);
  expect(words).toContain("refusal");
});

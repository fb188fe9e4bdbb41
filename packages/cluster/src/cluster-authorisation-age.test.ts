import { AUTHORISATION_AGE_MS_MAX, type SignedAuthorisation } from "@conclave/custody";
import { testSessionId } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { MESSAGE_ATTEMPT_MS } from "./coordinator/limits.ts";
import { CLOCK_SKEW_MS_MAX, REQUEST_AGE_MS_MAX } from "./signer/limits.ts";
import { askToSign } from "./testing/clocks/ask-to-sign.ts";
import type { TestCluster } from "./testing/cluster.ts";
import {
  authorisedAnew,
  authoriseKey,
  authoriseMessage,
  authoriseSignature,
  authoriseTransaction,
  authoriseTransfer,
  KEY_ID,
  keyIdOf,
  START_MS,
  transactionOf,
} from "./testing/fixtures.ts";
import { EDWARDS, MESSAGE, messageCluster, signMessageOn } from "./testing/message-drive.ts";

const NOTHING = new Uint8Array(0);
const ALL = [1, 2, 3];

interface Asked {
  readonly authorisation: SignedAuthorisation;
  readonly unsigned: Uint8Array;
  readonly keyId: string;
}
const SIGNED: readonly (readonly [string, Asked])[] = [
  ["a transfer", { authorisation: authoriseTransfer(1), unsigned: transactionOf(7), keyId: KEY_ID }],
  ["a transaction", { authorisation: authoriseTransaction(1), unsigned: transactionOf(7), keyId: KEY_ID }],
  [
    "a hash",
    {
      authorisation: authoriseSignature(1, { kind: "hash", hash: "5a".repeat(32) }),
      unsigned: NOTHING,
      keyId: KEY_ID,
    },
  ],
  [
    "a message",
    { authorisation: authoriseMessage(MESSAGE, EDWARDS), unsigned: NOTHING, keyId: EDWARDS.keyId },
  ],
];

/** The last report of each of three signers that are asked to sign. */
const signAll = (cluster: TestCluster, name: string, asked: Asked) =>
  askToSign(cluster, {
    name,
    quorum: ALL,
    expiresAtMs: cluster.world.nowMs() + MESSAGE_ATTEMPT_MS,
    ...asked,
  });
const all = (word: string) => ALL.map(() => word);
/** The tiny engine suffices, as only the order of effects and the time matter here. */
const open = (seed: string): TestCluster => messageCluster({ seed, engine: "tiny" });
/** Lets time pass until this long after the authority signed. */
const restUntil = (cluster: TestCluster, ms: number): void => {
  const forMs = START_MS + ms - cluster.world.nowMs();
  cluster.world.after(forMs, () => undefined);
  cluster.rest(forMs);
  expect(cluster.world.nowMs()).toBe(START_MS + ms);
};

describe.each(SIGNED)("the authorisation of %s", (what, asked) => {
  test("that nobody renews, because its owner aborted it, is refused by every signer after minutes", () => {
    const cluster = open(`abort ${what}`);
    restUntil(cluster, AUTHORISATION_AGE_MS_MAX);
    expect(signAll(cluster, "late", asked)).toEqual(all("AuthorisationNotCurrent"));
    expect(cluster.ledger.partials).toEqual([]);
  });

  test("INV-5 that was renewed is signed, hours after the request was made", () => {
    const cluster = open(`renewed ${what}`);
    restUntil(cluster, 3 * AUTHORISATION_AGE_MS_MAX);
    const authorisation = authorisedAnew(asked.authorisation, cluster.world.nowMs());
    expect(signAll(cluster, "renewed", { ...asked, authorisation })).toEqual(all("signed"));
  });

  test("of the future is refused, beyond what clocks may differ", () => {
    const cluster = open(`future ${what}`);
    const ahead = (ms: number) => ({
      ...asked,
      authorisation: authorisedAnew(asked.authorisation, cluster.world.nowMs() + ms),
    });
    expect(signAll(cluster, "far", ahead(CLOCK_SKEW_MS_MAX + 1_000))).toEqual(all("AuthorisationNotCurrent"));
    expect(signAll(cluster, "near", ahead(CLOCK_SKEW_MS_MAX))).toEqual(all("signed"));
  });
});

describe("a transfer that was authorised anew", () => {
  test("INV-4 is the same request: no other transaction is signed for it", () => {
    const cluster = open("same request");
    const first = { authorisation: authoriseTransfer(1), unsigned: transactionOf(7), keyId: KEY_ID };
    expect(signAll(cluster, "first", first)).toEqual(all("signed"));
    restUntil(cluster, 2 * AUTHORISATION_AGE_MS_MAX);
    const anew = { ...first, authorisation: authorisedAnew(first.authorisation, cluster.world.nowMs()) };
    const other = { ...anew, unsigned: transactionOf(8) };
    expect(signAll(cluster, "other", other)).toEqual(all("TransactionNotExcluding"));
    expect(signAll(cluster, "again", anew)).toEqual(all("signed"));
  });

  test("INV-4 is not signed once signers may have forgotten what they signed for it", () => {
    const cluster = open("forgotten");
    const old = new Date(cluster.world.nowMs() - REQUEST_AGE_MS_MAX).toISOString();
    const authorisation = authorisedAnew(authoriseTransfer(1, KEY_ID, old), cluster.world.nowMs());
    const asked = { authorisation, unsigned: transactionOf(7), keyId: KEY_ID };
    expect(signAll(cluster, "old", asked)).toEqual(all("AuthorisationInvalid"));
  });
});

test("INV-2 a session whose presigning outlives the authorisation makes no partial signature", () => {
  const cluster = open("outlived");
  restUntil(cluster, AUTHORISATION_AGE_MS_MAX - 1);
  const asked = { authorisation: authoriseTransfer(1), unsigned: transactionOf(7), keyId: KEY_ID };
  const words = signAll(cluster, "outlived", asked);
  expect(words).toContain("AuthorisationNotCurrent");
  expect(words).not.toContain("signed");
  expect(cluster.ledger.partials).toEqual([]);
});

test("a key is not made under an authorisation that nobody renewed, and is under one that is", () => {
  const cluster = open("key");
  restUntil(cluster, AUTHORISATION_AGE_MS_MAX);
  const begin = (name: string, authorisation: SignedAuthorisation) => {
    const expiresAtMs = cluster.world.nowMs() + MESSAGE_ATTEMPT_MS;
    const calls = [1, 2, 3, 4, 5].map((signer) =>
      cluster.call(signer, (call) => ({
        kind: "key-generation",
        call,
        session: testSessionId(name),
        authorisation,
        expiresAtMs,
      })),
    );
    cluster.rest(500);
    return calls.map(({ heard }) => {
      const word = heard.at(-1);
      return word?.kind === "refusal" ? word.problem.code : word?.kind;
    });
  };
  const authorisation = authoriseKey(keyIdOf(9));
  expect(new Set(begin("late", authorisation))).toEqual(new Set(["AuthorisationNotCurrent"]));
  const anew = authorisedAnew(authorisation, cluster.world.nowMs());
  expect(new Set(begin("anew", anew))).toEqual(new Set(["key"]));
});

test("a coordinator whose signers find the authorisation too old gives up as soon as more say so than may lie", () => {
  const cluster = open("coordinator");
  restUntil(cluster, AUTHORISATION_AGE_MS_MAX);
  const outcome = signMessageOn(cluster);
  cluster.until(() => outcome.isClosed);
  expect(outcome.problem?.code).toBe("AuthorisationNotCurrent");
  const sessions = new Set(outcome.calls.map(({ session }) => session));
  expect(sessions.size).toBe(5 - 3 + 1);
});

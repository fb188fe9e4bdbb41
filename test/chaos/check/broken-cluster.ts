import { expect, it } from "vitest";
import {
  accountName,
  type ChainFacts,
  type ClusterFacts,
  type DatabaseFacts,
  type LandedFact,
  type RowFact,
  type SignerFacts,
} from "../facts/cluster-facts.ts";
import type { LoadHistory, LoadRequest } from "../load/history.ts";
import { contentText } from "../load/webhook-ear.ts";
import { judgeFacts } from "./check-cluster.ts";
import type { Expectations, Judged } from "./finding.ts";
import { contentOf, wholeCluster } from "./whole-cluster.ts";

/* Breaks single facts of a healthy cluster, for tests of the checks. */

const THRESHOLD = 2;
export const whole = wholeCluster();

export type Break = (judged: Judged) => Judged;

export const inFacts =
  (change: (facts: ClusterFacts) => Partial<ClusterFacts>): Break =>
  (judged) => ({ ...judged, facts: { ...judged.facts, ...change(judged.facts) } });
export const inDatabase = (change: (database: DatabaseFacts) => Partial<DatabaseFacts>): Break =>
  inFacts(({ database }) => ({ database: { ...database, ...change(database) } }));
export const inChain = (change: (chain: ChainFacts) => Partial<ChainFacts>): Break =>
  inFacts(({ chain }) => ({ chain: { ...chain, ...change(chain) } }));
export const inHistory =
  (change: (history: LoadHistory) => Partial<LoadHistory>): Break =>
  (judged) => ({ ...judged, history: { ...judged.history, ...change(judged.history) } });
export const expecting =
  (expected: Partial<Expectations>): Break =>
  (judged) => ({ ...judged, expected: { ...judged.expected, ...expected } });

export const inRow = (id: string, change: Partial<RowFact>): Break =>
  inDatabase(({ rows }) => ({ rows: rows.map((row) => (row.id === id ? { ...row, ...change } : row)) }));
export const inSigner = (index: number, change: (signer: SignerFacts) => Partial<SignerFacts>): Break =>
  inFacts(({ signers }) => ({
    signers: signers.map((one) => (one.index === index ? { ...one, ...change(one) } : one)),
  }));
export const inRequest = (number: number, change: Partial<LoadRequest>): Break =>
  inHistory(({ requests }) => ({
    requests: requests.map((one) => (one.asked.number === number ? { ...one, ...change } : one)),
  }));
export const inLanded = (id: string, change: Partial<LandedFact>): Break =>
  inChain(({ landed }) => ({
    landed: new Map(
      [...landed].map(([key, fact]) => [
        key,
        key === id && typeof fact !== "string" ? { ...fact, ...change } : fact,
      ]),
    ),
  }));
export const inAuthorisation = (id: string, change: Partial<NonNullable<RowFact["authorisation"]>>): Break =>
  inDatabase(({ rows }) => ({
    rows: rows.map((row) =>
      row.id === id && row.authorisation !== undefined
        ? { ...row, authorisation: { ...row.authorisation, ...change } }
        : row,
    ),
  }));
export const withBalance = (address: string, balance: bigint): Break =>
  inChain(({ balances }) => ({
    balances: new Map(balances).set(accountName("EthereumSepolia", address), balance),
  }));
export const both =
  (one: Break, other: Break): Break =>
  (judged) =>
    other(one(judged));

export const spentAt = (id: string, digest: string) => ({ id, digest, requestId: "xfr-1" });

/** A broken cluster with all expected findings: the invariant's number and the words of each. */
export type BrokenCluster = readonly [
  title: string,
  broken: Break,
  found: readonly (readonly [string, RegExp])[],
];

export const judgeBroken = (broken: Break) => judgeFacts(broken(whole), THRESHOLD);

/** Declares a test per row: exactly these findings are reported. */
export const findsEach = (rows: readonly BrokenCluster[]): void => {
  it.each(rows)("finds %s", (_, broken, found) => {
    const findings = judgeBroken(broken).map(({ invariant, words }) => [invariant, words]);
    const wanted = found.map(([invariant, words]) => [invariant, expect.stringMatching(words)]);
    expect(findings).toHaveLength(wanted.length);
    expect(findings).toEqual(expect.arrayContaining(wanted));
  });
};

export const CONFIRMED = "evt-xfr-1-wallet.transfer.confirmed";
export const contentAs = (number: number, change: Parameters<typeof contentOf>[1]): string => {
  const request = whole.history.requests.find(({ asked }) => asked.number === number);
  return contentText(contentOf(request ?? expect.fail("there is one"), change));
};

import type { Problem, SignedAuthorisation } from "@conclave/custody";
import { encodeBase64 } from "@conclave/threshold";
import { testParty, testSessionId } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { SessionReport } from "../../control/report.ts";
import type { CallId } from "../../control/session-key.ts";
import { TestCluster } from "../../testing/cluster.ts";
import { authoriseKey, KEY_ID, START_MS, sign } from "../../testing/fixtures.ts";
import {
  authoriseExport,
  authoriseImport,
  exportIdOf,
  honestEnvelopes,
  PASSING_KEY,
  sharesOf,
} from "../../testing/key-passage.ts";
import type { SignerInput, TestAsked } from "../../testing/signer-input.ts";
import type { SignerConfig } from "../config.ts";
import { EXPORTS_PER_KEY_MAX, KEY_EXPORT_AGE_MS_MAX, KEY_IMPORT_AGE_MS_MAX } from "../limits.ts";

const sealed = honestEnvelopes();
const own = sealed.get(testParty(1)) ?? new Uint8Array(0);

type BeginImport = TestAsked<"key-import">;
const importing =
  (change: Partial<BeginImport> = {}) =>
  (call: CallId): BeginImport => ({
    kind: "key-import",
    call,
    session: testSessionId("import"),
    authorisation: authoriseImport(sealed),
    envelope: own,
    expiresAtMs: START_MS + 20_000,
    ...change,
  });

const exporting =
  (authorisation: SignedAuthorisation, session = "export") =>
  (call: CallId): TestAsked<"key-export"> => ({
    kind: "key-export",
    call,
    session: testSessionId(session),
    authorisation,
    expiresAtMs: START_MS + 20_000,
  });

const open = (configure: (config: SignerConfig) => SignerConfig = (config) => config) =>
  new TestCluster({ seed: "passage", engine: "tiny", configure });

/** Signer 1's last report on one call. */
const lastWord = (cluster: TestCluster, event: (call: CallId) => SignerInput): SessionReport | undefined => {
  const { heard } = cluster.call(1, event);
  cluster.rest(100);
  return heard.at(-1);
};

const refusalOf = (event: (call: CallId) => SignerInput, cluster = open()): Problem["code"] | undefined => {
  const before = new Map(cluster.node(1).records);
  const word = lastWord(cluster, event);
  expect(cluster.node(1).records).toEqual(before); // a refusal changes nothing
  return word?.kind === "refusal" ? word.problem.code : undefined;
};

const tampered = (authorisation: SignedAuthorisation): SignedAuthorisation => ({
  ...authorisation,
  payload: authorisation.payload.with(60, (authorisation.payload[60] ?? 0) ^ 1),
});
const agedBy = (ms: number): string => new Date(START_MS - ms - 1).toISOString();

describe("a signer asked to take in a key refuses", () => {
  const shares = sharesOf(sealed);
  const other = { signerId: encodeBase64(new Uint8Array(32).fill(7)), digest: shares[0]?.digest };
  const cases: readonly (readonly [string, Partial<BeginImport>, Problem["code"]])[] = [
    [
      "INV-8 a tampered authorisation",
      { authorisation: tampered(authoriseImport(sealed)) },
      "AuthorisationInvalid",
    ],
    [
      "INV-8 what somebody else signed",
      { authorisation: { ...authoriseImport(sealed), signature: new Uint8Array(64) } },
      "AuthorisationInvalid",
    ],
    [
      "INV-8 an authorisation of another kind",
      { authorisation: authoriseKey(PASSING_KEY) },
      "AuthorisationInvalid",
    ],
    ["INV-8 a signed text that is none", { authorisation: sign(new Uint8Array(9)) }, "AuthorisationInvalid"],
    [
      "an authorisation that is old",
      { authorisation: authoriseImport(sealed, { dateRequested: agedBy(KEY_IMPORT_AGE_MS_MAX) }) },
      "AuthorisationNotCurrent",
    ],
    [
      "INV-3 an envelope that is not the one that was authorised",
      { envelope: own.with(9, (own[9] ?? 0) ^ 1) },
      "AuthorisationInvalid",
    ],
    [
      "INV-3 another signer's envelope",
      { envelope: sealed.get(testParty(2)) ?? own },
      "AuthorisationInvalid",
    ],
    ["INV-3 no envelope", { envelope: new Uint8Array(0) }, "AuthorisationInvalid"],
    ["P13 an envelope that is too long", { envelope: new Uint8Array(17 * 1024) }, "AuthorisationInvalid"],
    [
      "P23 shares for fewer signers than there are",
      { authorisation: authoriseImport(sealed, { shares: shares.slice(1) }) },
      "KeyImportRefused",
    ],
    [
      "P23 shares for more signers than there are",
      { authorisation: authoriseImport(sealed, { shares: [...shares, other] }) },
      "KeyImportRefused",
    ],
    [
      "P23 a share for somebody who is no signer",
      { authorisation: authoriseImport(sealed, { shares: [other, ...shares.slice(1)] }) },
      "KeyImportRefused",
    ],
    [
      "P23 two shares for one signer",
      { authorisation: authoriseImport(sealed, { shares: [shares[0], ...shares.slice(0, 4)] }) },
      "KeyImportRefused",
    ],
    [
      "another threshold than the cluster's",
      { authorisation: authoriseImport(sealed, { threshold: 2 }) },
      "QuorumInvalid",
    ],
    ["a key that it holds", { authorisation: authoriseImport(sealed, { keyId: KEY_ID }) }, "KeyExists"],
    ["a session id that is too short", { session: new Uint8Array(31) }, "InvalidBody"],
    ["a session whose deadline has passed", { expiresAtMs: START_MS - 1 }, "SessionExpired"],
  ];

  test.each(cases)("%s", (_, change, code) => {
    expect(refusalOf(importing(change))).toBe(code);
  });

  test("anything, unless its own operator allows it", () => {
    const cluster = open((config) => ({ ...config, keyImport: "refused" }));
    expect(refusalOf(importing(), cluster)).toBe("KeyImportDisabled");
  });

  test("anything under a roster that has no keys for clients", () => {
    const cluster = open((config) => ({
      ...config,
      roster: new Map([...config.roster].map(([party, { importKey: _, ...member }]) => [party, member])),
    }));
    expect(refusalOf(importing(), cluster)).toBe("KeyImportUnavailable");
  });

  test("the same key again while it is under way", () => {
    const cluster = open();
    cluster.call(1, importing());
    cluster.rest(50);
    expect(lastWord(cluster, importing({ session: testSessionId("second") }))).toMatchObject({
      kind: "refusal",
      problem: { code: "KeyExists" },
    });
  });
});

test("INV-7 signers that got different imports of one key do not meet, and nobody is blamed", () => {
  const cluster = new TestCluster({ seed: "told", size: 3, threshold: 2 });
  const envelopes = honestEnvelopes(3, 2);
  const heard = [1, 2, 3].map((signer) => {
    const requestId = `kim-aaaaa-bbbbb-000000000000000${signer === 3 ? 2 : 1}`;
    const authorisation = authoriseImport(envelopes, { threshold: 2, requestId });
    const envelope = envelopes.get(testParty(signer)) ?? own;
    return cluster.call(signer, importing({ authorisation, envelope })).heard;
  });
  cluster.rest(30_000);
  expect(heard.map((words) => words.at(-1)?.kind)).toEqual(["failure", "failure", "failure"]);
  expect(
    [...cluster.nodes.values()].map(({ records }) => [...records.keys()].includes(`key/${PASSING_KEY}`)),
  ).toEqual([false, false, false]);
});

describe("a signer asked to hand out its share refuses", () => {
  const ofKey = { keyId: KEY_ID };
  test.each<readonly [string, SignedAuthorisation, Problem["code"]]>([
    ["INV-8 a tampered authorisation", tampered(authoriseExport(ofKey)), "AuthorisationInvalid"],
    ["INV-8 an authorisation of another kind", authoriseImport(sealed), "AuthorisationInvalid"],
    [
      "an authorisation that is old",
      authoriseExport({ ...ofKey, dateRequested: agedBy(KEY_EXPORT_AGE_MS_MAX) }),
      "AuthorisationNotCurrent",
    ],
    ["a key that it does not hold", authoriseExport(), "KeyUnknown"],
    [
      "a key under the name of another scheme",
      authoriseExport({ ...ofKey, protocol: "FROST_BITCOIN" }),
      "KeyExportRefused",
    ],
    [
      "an encryption key that is no point",
      authoriseExport({ ...ofKey, encryptionKey: `0102${"f".repeat(64)}` }),
      "InvalidBody",
    ],
  ])("%s", (_, authorisation, code) => {
    expect(refusalOf(exporting(authorisation))).toBe(code);
  });

  test("anything, unless its own operator allows it", () => {
    const cluster = open((config) => ({ ...config, keyExport: "refused" }));
    expect(refusalOf(exporting(authoriseExport(ofKey)), cluster)).toBe("KeyExportDisabled");
  });

  test("a pending key", () => {
    const cluster = open();
    for (const signer of [1, 2, 3, 4, 5]) {
      const envelope = sealed.get(testParty(signer)) ?? own;
      cluster.call(signer, importing({ envelope }));
    }
    cluster.rest(100);
    expect(refusalOf(exporting(authoriseExport()), cluster)).toBe("KeyUnknown");
  });

  test("the same request for another client: what one was given, another is not", () => {
    const cluster = open();
    expect(lastWord(cluster, exporting(authoriseExport(ofKey)))?.kind).toBe("exported");
    const encryptionKey = "010279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    const stranger = authoriseExport({ ...ofKey, encryptionKey });
    expect(refusalOf(exporting(stranger, "stranger"), cluster)).toBe("KeyExportRefused");
  });

  test("more requests than it keeps on record", () => {
    const cluster = open();
    for (let number = 1; number <= EXPORTS_PER_KEY_MAX; number++) {
      const authorisation = authoriseExport({ ...ofKey, requestId: exportIdOf(number) });
      expect(lastWord(cluster, exporting(authorisation, `export/${number}`))?.kind).toBe("exported");
    }
    const last = authoriseExport({ ...ofKey, requestId: exportIdOf(EXPORTS_PER_KEY_MAX + 1) });
    expect(refusalOf(exporting(last, "one more"), cluster)).toBe("KeyExportRefused");
  });
});

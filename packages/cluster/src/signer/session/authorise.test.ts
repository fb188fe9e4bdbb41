import { AUTHORISATION_AGE_MS_MAX, type SignedAuthorisation } from "@conclave/custody";
import { testParty } from "@conclave/threshold/testing";
import { bytesToUtf8, utf8ToBytes } from "@noble/ciphers/utils.js";
import { describe, expect, test } from "vitest";
import {
  authoriseAuxiliary,
  authoriseDead,
  authorisedFor,
  authoriseKey,
  authoriseKeyChange,
  authoriseKeyDiscard,
  authoriseMessage,
  authoriseSignature,
  authoriseTransaction,
  authoriseTransfer,
  configOf,
  KEY_ID,
  requestIdOf,
  START_MS,
  sign,
  transactionOf,
} from "../../testing/fixtures.ts";
import { authoriseExport, authoriseImport, honestEnvelopes } from "../../testing/key-passage.ts";
import { AUTHORISATION_BYTES_MAX, CLOCK_SKEW_MS_MAX, REQUEST_AGE_MS_MAX } from "../limits.ts";
import * as readings from "./authorise.ts";

const config = configOf(testParty(1), 3, 2);
const read = (authorisation: SignedAuthorisation, nowMs = START_MS) =>
  readings.authorisedKey(config, authorisation, nowMs);
const { payload } = authoriseKey(KEY_ID, 2);
const { authorisedDeadTransactions } = readings;
const CHANGE = { publicKey: `02${"ab".repeat(32)}`, epoch: 1, threshold: 2, parties: [1, 2, 3] };
const MESSAGE = { keyId: KEY_ID, scheme: "FROST-Ed25519" } as const;
type Read = (...given: Parameters<typeof readings.authorisedKey>) => { readonly ok: boolean };
const KINDS: readonly (readonly [string, Read, SignedAuthorisation])[] = [
  ["transfer", readings.authorisedSigning, authoriseTransfer(1)],
  ["transaction", readings.authorisedSigning, authoriseTransaction(2)],
  ["signature", readings.authorisedSigning, authoriseSignature(3, { kind: "hash", hash: "ab".repeat(32) })],
  ["message", readings.authorisedSigning, authoriseMessage(new Uint8Array(3), MESSAGE)],
  ["key", readings.authorisedKey, authoriseKey(KEY_ID, 2)],
  ["import", readings.authorisedImport, authoriseImport(honestEnvelopes())],
  ["export", readings.authorisedExport, authoriseExport()],
  ["refresh", readings.authorisedKeyChange, authoriseKeyChange({ ...CHANGE, kind: "key-refresh" })],
  ["reshare", readings.authorisedKeyChange, authoriseKeyChange({ ...CHANGE, kind: "key-reshare" })],
  ["auxiliary generation", readings.authorisedAuxiliary, authoriseAuxiliary(1, 2, [1, 2, 3])],
  ["discard", readings.authorisedKeyDiscard, authoriseKeyDiscard("ab".repeat(32))],
  ["statement on dead transactions", authorisedDeadTransactions, authoriseDead(1, [transactionOf(7)])],
];

describe("an authorisation by the authority of several clusters", () => {
  test.each(KINDS)(
    "of a %s is taken by signers of the cluster that it names, and by no others",
    (_, of, signed) => {
      expect(of(config, authorisedFor(signed, config.clusterId), START_MS).ok).toBe(true);
      for (const cluster of ["another", "", `${config.clusterId}x`]) {
        expect(of(config, authorisedFor(signed, cluster), START_MS)).toMatchObject({
          problem: { code: "AuthorisationInvalid", message: "The authorisation is for another cluster." },
        });
      }
    },
  );

  test.each(KINDS)("of a %s is taken when it names none, as a version before signed it", (_, of, signed) => {
    expect(of(config, signed, START_MS).ok).toBe(true);
  });
});

describe("INV-8 an authorisation by the authority is believed", () => {
  test("P13 up to a length, whatever follows the request", () => {
    const padded = (length: number) => sign(utf8ToBytes(bytesToUtf8(payload).padEnd(length)));
    expect(read(padded(AUTHORISATION_BYTES_MAX)).ok).toBe(true);
    expect(read(padded(AUTHORISATION_BYTES_MAX + 1))).toMatchObject({
      problem: { code: "AuthorisationInvalid" },
    });
  });

  const dated = (requestedMs: number, signedMs: number) => {
    const request: object = JSON.parse(bytesToUtf8(payload));
    const dateRequested = new Date(START_MS + requestedMs).toISOString();
    const dateAuthorised = new Date(START_MS + signedMs).toISOString();
    return sign(utf8ToBytes(JSON.stringify({ ...request, dateRequested, dateAuthorised })));
  };

  test("INV-5 as too old for good by its own dates alone, whatever this clock says", () => {
    const signed = dated(-REQUEST_AGE_MS_MAX, 0);
    const young = dated(1 - REQUEST_AGE_MS_MAX, 0);
    const tooOld = { problem: { code: "AuthorisationInvalid" } };
    const notNow = { problem: { code: "AuthorisationNotCurrent" } };
    for (const aheadMs of [0, REQUEST_AGE_MS_MAX, -REQUEST_AGE_MS_MAX]) {
      expect(read(signed, START_MS + aheadMs)).toMatchObject(tooOld);
      expect(read(young, START_MS + aheadMs)).toMatchObject(aheadMs === 0 ? { ok: true } : notNow);
    }
    // in its last moment by the authority's date, and expired by this clock
    expect(read(young, START_MS + 1)).toMatchObject(notNow);
  });

  test("from the dates on that it names, of the request and of its signature, as far as clocks differ", () => {
    const late = CLOCK_SKEW_MS_MAX + 1;
    const early = { problem: { code: "AuthorisationNotCurrent" } };
    expect(read(dated(CLOCK_SKEW_MS_MAX, CLOCK_SKEW_MS_MAX)).ok).toBe(true);
    expect(read(dated(late, 0))).toMatchObject(early);
    expect(read(dated(0, late))).toMatchObject(early);
    expect(read(dated(0, 0), START_MS + AUTHORISATION_AGE_MS_MAX)).toMatchObject(early);
  });

  test("of dead transactions for as long as their request: they stay dead", () => {
    const statement = authoriseDead(requestIdOf(1), [transactionOf(7)]);
    const later = START_MS + AUTHORISATION_AGE_MS_MAX;
    expect(authorisedDeadTransactions(config, statement, later).ok).toBe(true);
    const old = authorisedDeadTransactions(config, statement, START_MS + REQUEST_AGE_MS_MAX);
    expect(old).toMatchObject({ problem: { code: "AuthorisationNotCurrent" } });
  });
});

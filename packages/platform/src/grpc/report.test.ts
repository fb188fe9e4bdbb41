import { problem } from "@conclave/custody";
import { testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { CONTROL } from "./proto.ts";
import { fromReport, type StreamReport, toReport } from "./report.ts";

/** The report as the other end of a stream receives it. */
const overTheWire = (report: StreamReport): StreamReport | undefined => {
  const { responseSerialize, responseDeserialize } = CONTROL.Begin;
  return fromReport(responseDeserialize(responseSerialize(toReport(report))));
};

test("a refused import arrives with whose shares are wrong, and how", () => {
  const report = {
    kind: "import-refused",
    refusals: [
      { kind: "entry", signer: testParty(2), flaw: { code: "ShareMismatch", field: "secret_share" } },
      {
        kind: "difference",
        field: "public_shares",
        views: [
          { digest: Buffer.alloc(32, 1), signers: [testParty(1)] },
          { digest: Buffer.alloc(32, 2), signers: [testParty(2), testParty(3)] },
        ],
      },
    ],
  } as const;
  expect(overTheWire(report)).toEqual(report);
});

test("an answer whose refusal cannot be read is ignored", () => {
  const { responseSerialize, responseDeserialize } = CONTROL.Begin;
  const nonsense = responseSerialize({ importRefused: { refusals: [Buffer.from("00ff", "hex")] } });
  expect(fromReport(responseDeserialize(nonsense))).toBeUndefined();
});

test("INV-7 a failure arrives with whom the signer waited for and how far it had come, which an older version does not tell", () => {
  const report = { kind: "failure", reason: "late", silent: [testParty(2)], phase: 3 } as const;
  expect(overTheWire(report)).toEqual(report);
  const { phase: _absent, ...older } = report;
  expect(overTheWire(older)).toEqual(older);
});

test("INV-7 a refusal arrives with the peer that the signer does not work with, and with nothing else of its details", () => {
  const written = {
    kind: "refusal",
    problem: problem("PeerFault", { culprit: testParty(2), secret: "x" }),
  } as const;
  expect(overTheWire(written)).toEqual({ kind: "refusal", problem: problem("PeerFault", { culprit: 2 }) });
  const absent = { kind: "refusal", problem: problem("TooManySessions") } as const;
  expect(overTheWire(absent)).toEqual(absent);
});

test("INV-5 a refusal of an authorisation of unknown form arrives as one by an older signer: the request waits", () => {
  const refused = (message: string) => {
    const { responseSerialize, responseDeserialize } = CONTROL.Begin;
    const refusal = { code: "AuthorisationInvalid", message };
    return fromReport(responseDeserialize(responseSerialize({ refusal })));
  };
  const unread = refused("The authorisation is of another kind or version.");
  expect(unread).toMatchObject({ kind: "refusal", problem: { code: "SignerOlder" } });
  const forged = refused("The authorisation is not signed by the authority.");
  expect(forged).toMatchObject({ kind: "refusal", problem: { code: "AuthorisationInvalid" } });
});

test("INV-5 a refused deadline arrives with the signer's clock, which an older version does not tell", () => {
  const clockMs = 1_795_000_000_123;
  const written = { kind: "refusal", problem: problem("SessionExpired", { clockMs }) } as const;
  expect(overTheWire(written)).toEqual(written);
  const absent = { kind: "refusal", problem: problem("DeadlineTooFar") } as const;
  expect(overTheWire(absent)).toEqual(absent);
});

test("an exported share arrives as it was sealed", () => {
  const report = {
    kind: "exported",
    keyId: "key-1",
    epoch: 3,
    envelope: Buffer.from("0102", "hex"),
    publicKey: Buffer.from("02ff", "hex"),
  } as const;
  expect(overTheWire(report)).toEqual(report);
});

test("signatures of every scheme arrive in their order", () => {
  const report: StreamReport = {
    kind: "signed",
    signatures: [
      { scheme: "CGGMP24", r: 1n, s: 2n ** 255n, recovery: 1 },
      { scheme: "FROST-Ed25519", bytes: Buffer.alloc(64, 7) },
      { scheme: "FROST-Taproot", bytes: Buffer.alloc(64, 8) },
    ],
  };
  expect(overTheWire(report)).toEqual(report);
});

test.each([
  ["of an unknown scheme", { scheme: "RSA", bytes: Buffer.alloc(64) }],
  ["of ECDSA without its recovery id", { scheme: "CGGMP24", bytes: Buffer.alloc(64) }],
  ["of ECDSA with a recovery id of 2", { scheme: "CGGMP24", bytes: Buffer.alloc(65, 2) }],
  ["of FROST that is too short", { scheme: "FROST-Ed25519", bytes: Buffer.alloc(63) }],
])("a report that holds a signature %s is not taken", (_, signature) => {
  const { responseSerialize, responseDeserialize } = CONTROL.Begin;
  const good = { scheme: "FROST-Ed25519", bytes: Buffer.alloc(64) };
  const report = responseSerialize({ signed: { signatures: [good, signature] } });
  expect(fromReport(responseDeserialize(report))).toBeUndefined();
});

test.each<StreamReport>([
  { kind: "auxiliary", from: 0, epoch: 1, digest: Buffer.alloc(32, 1), receipt: Buffer.alloc(64, 2) },
  {
    kind: "key-changed",
    keyId: "key-1",
    from: 3,
    epoch: 2 ** 32 - 1,
    digest: Buffer.alloc(32, 1),
    receipt: Buffer.alloc(64, 2),
  },
])("the receipt for a new epoch arrives as it was signed: $kind", (report) => {
  expect(overTheWire(report)).toEqual(report);
});

import { attestationBytes, type KeyScheme, readStatement, statementBytes } from "@conclave/custody";
import { decode, evidenceCodec, verifyEd25519, verifyFault } from "@conclave/threshold";
import { testParty } from "@conclave/threshold/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseEvidence } from "../../../packages/cli/src/evidence/evidence-file.ts";
import { readCertificate } from "../../../packages/cluster/src/control/epoch-certificate.ts";
import { waiversOf } from "../../../packages/cluster/src/control/epoch-waiver.ts";
import { isCountSigned } from "../../../packages/cluster/src/signer/older-store/signed-count.ts";
import * as authorise from "../../../packages/cluster/src/signer/session/authorise.ts";
import { configOf, rosterOf, START_MS } from "../../../packages/cluster/src/testing/fixtures.ts";
import { encodeWritten, sha256ByHand, unsigned } from "./by-hand.ts";
import { isSignedByHand } from "./by-hand-signatures.ts";
import { ROSTER } from "./make-sessions.ts";
import { evidenceText, readAttestations, readAuthorisations, readProtocolVectors } from "./vector-files.ts";

const { statements, roster } = readProtocolVectors();
const MEMBERS = rosterOf(roster.length);
const identityOf = (party: number): string =>
  roster.find((member) => member.party === party)?.identity ?? expect.fail(`party ${party}`);
const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));

/** One copy of the bytes for each byte, with the lowest bit of that byte flipped. */
const changes = (bytes: Uint8Array): readonly Uint8Array[] =>
  [...bytes.keys()].map((at) => bytes.with(at, (bytes[at] ?? 0) ^ 1));

/** JSON, with the fields in the order of the document */
const textOf = (fields: Readonly<Record<string, unknown>>): string => JSON.stringify(fields);

describe("the statement that identity keys sign on epochs", () => {
  const { cluster, transition, receipts, certificate, handover, waiver, spendingCount } = statements;

  it("names the cluster by the identity keys of its roster", () => {
    const identities = roster.map(({ party, identity }) => [party, identity]);
    const text = JSON.stringify(["conclave/v1/roster", identities]);
    expect(sha256ByHand(text).toString("hex")).toBe(cluster);
  });

  it.each(receipts)("is, of signer $signer, the receipt that the document says", (receipt) => {
    const { signer, signed, signature } = receipt;
    const { subject, from, to, digest, session } = transition;
    const kind = "conclave/v1/epoch-receipt";
    expect(textOf({ kind, cluster, signer, subject, from, to, digest, session })).toBe(signed);
    expect(isSignedByHand(Buffer.from(signed), signature, identityOf(signer))).toBe(true);
  });

  it("makes a certificate of the receipts of all, laid out as the document says", () => {
    const { subject, from, to, digest, session } = transition;
    const byHand = Buffer.concat([
      unsigned(subject.length, 4),
      Buffer.from(subject),
      unsigned(from, 4),
      unsigned(to, 4),
      Buffer.from(digest + session, "hex"),
      Buffer.of(receipts.length),
      ...receipts.map(({ signer, signature }) => Buffer.concat([Buffer.of(signer), bytesOf(signature)])),
    ]);
    expect(byHand.toString("hex")).toBe(certificate);
    expect(readCertificate(MEMBERS, bytesOf(certificate))).toMatchObject({ subject, from, to });
  });

  it("makes no certificate with any byte changed", () => {
    for (const changed of changes(bytesOf(certificate)))
      expect(readCertificate(MEMBERS, changed)).toBeUndefined();
  });

  it("is, of a handover, the text that the document says, and stands in a certificate as it says", () => {
    const { subject, to, session } = transition;
    const { signer, signed, signature, sinceMs, latestMs, transaction, requestIds } = handover;
    const requests = requestIds.map((id) => sha256ByHand(id).toString("hex").slice(0, 32) + transaction);
    const kind = "conclave/v1/epoch-handover";
    const text = textOf({ kind, cluster, signer, subject, to, session, sinceMs, latestMs, requests });
    expect(text).toBe(signed);
    expect(isSignedByHand(Buffer.from(signed), signature, identityOf(signer))).toBe(true);
    const byHand = Buffer.concat([
      bytesOf(certificate),
      Buffer.of(1, signer),
      unsigned(sinceMs, 6),
      unsigned(latestMs, 6),
      Buffer.of(requests.length),
      bytesOf(requests.join("") + signature),
    ]);
    expect(byHand.toString("hex")).toBe(handover.certificate);
    expect(readCertificate(MEMBERS, byHand)?.handovers).toMatchObject([{ signer, sinceMs, latestMs }]);
    for (const changed of changes(new Uint8Array(byHand)).slice(certificate.length / 2))
      expect(readCertificate(MEMBERS, changed)).toBeUndefined();
  });

  it("is, of a waiver, the text that the document says", () => {
    const { subject, session } = transition;
    const { signer, signed, signature } = waiver;
    expect(textOf({ kind: "conclave/v1/epoch-waiver", cluster, signer, subject, session })).toBe(signed);
    const given = { signer, signature: bytesOf(signature) };
    expect(waiversOf(MEMBERS, [...MEMBERS.keys()], { subject, session }, [given])).toBe(1);
    for (const changed of changes(given.signature)) {
      expect(
        waiversOf(MEMBERS, [...MEMBERS.keys()], { subject, session }, [{ signer, signature: changed }]),
      ).toBe(0);
    }
  });

  it("is, of a count of spent presignatures, the fields that the document says", () => {
    const { clusterId, signer, count, signed, signature } = spendingCount;
    const fields = [
      { text: "conclave/v1/spending-count" },
      { text: clusterId },
      { integer: String(signer) },
      { integer: String(count) },
    ];
    expect(encodeWritten({ list: fields }).toString("hex")).toBe(signed);
    const cluster = { clusterId, roster: MEMBERS };
    const isSigned = (of: number, by: Uint8Array) => isCountSigned(cluster, testParty(signer), of, by);
    expect(isSigned(count, bytesOf(signature))).toBe(true);
    expect(isSigned(count + 1, bytesOf(signature))).toBe(false);
    for (const changed of changes(bytesOf(signature))) expect(isSigned(count, changed)).toBe(false);
  });
});

const SCHEMES: readonly KeyScheme[] = ["ECDSA", "FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"];
const attestedSchema = z.strictObject({
  kind: z.literal("conclave/v1/key-attestation"),
  keyId: z.string(),
  scheme: z.string(),
  publicKey: z.string(),
});

describe("attestations", () => {
  it.each(readAttestations().attestations)("of signer $signer verify: $signed", (attestation) => {
    const { signer, signed, signature } = attestation;
    const { kind, keyId, scheme, publicKey } = attestedSchema.parse(JSON.parse(signed));
    expect(textOf({ kind, keyId, scheme, publicKey })).toBe(signed);
    const known = SCHEMES.find((name) => name === scheme) ?? expect.fail(`no scheme: ${scheme}`);
    const bytes = attestationBytes({ keyId, scheme: known, publicKey });
    const identity = bytesOf(identityOf(signer));
    const isSigned = (said: Uint8Array, by = bytesOf(signature)) => verifyEd25519(by, said, identity);
    expect(isSigned(bytes)).toBe(true);
    expect(isSignedByHand(Buffer.from(signed), signature, identityOf(signer))).toBe(true);
    for (const changed of changes(bytes)) expect(isSigned(changed)).toBe(false);
    for (const changed of changes(bytesOf(signature))) expect(isSigned(bytes, changed)).toBe(false);
  });
});

const statedSchema = z.strictObject({
  kind: z.literal("conclave/v2/key-attestation"),
  cluster: z.string(),
  signer: z.int(),
  orgId: z.string(),
  keyId: z.string(),
  origin: z.enum(["generated", "imported"]),
  threshold: z.int(),
  total: z.int(),
  scheme: z.string(),
  publicKey: z.string(),
  date: z.string(),
});

describe("statements of keys", () => {
  it.each(readAttestations().statements)(
    "of signer $signer verify: $signed",
    ({ signer, signed, signature }) => {
      const { kind, cluster, orgId, keyId, origin, ...rest } = statedSchema.parse(JSON.parse(signed));
      const { threshold, total, scheme, publicKey, date } = rest;
      const made = { orgId, keyId, origin, threshold, total, scheme, publicKey, date };
      expect(textOf({ kind, cluster, signer, ...made })).toBe(signed);
      const bytes = new Uint8Array(Buffer.from(signed));
      const said = readStatement(bytes) ?? expect.fail("it is a statement");
      expect(statementBytes(said)).toEqual(bytes);
      const identity = bytesOf(identityOf(signer));
      expect(verifyEd25519(bytesOf(signature), bytes, identity)).toBe(true);
      expect(isSignedByHand(bytes, signature, identityOf(signer))).toBe(true);
      for (const changed of changes(bytes))
        expect(verifyEd25519(bytesOf(signature), changed, identity)).toBe(false);
    },
  );
});

type Reading = (typeof authorise)["authorisedKey"];
const READINGS: Readonly<Record<string, (...given: Parameters<Reading>) => { readonly ok: boolean }>> = {
  transfer: authorise.authorisedSigning,
  transaction: authorise.authorisedSigning,
  signature: authorise.authorisedSigning,
  message: authorise.authorisedSigning,
  key: authorise.authorisedKey,
  "key-import": authorise.authorisedImport,
  "key-export": authorise.authorisedExport,
  "key-refresh": authorise.authorisedKeyChange,
  auxiliary: authorise.authorisedAuxiliary,
  "key-discard": authorise.authorisedKeyDiscard,
  "dead-transactions": authorise.authorisedDeadTransactions,
};

describe("authorisations", () => {
  const { authorityKey, authorisations, clusterId, named } = readAuthorisations();
  const config = { ...configOf(testParty(1), 5, 3), authorityKey: bytesOf(authorityKey), clusterId };

  it("are of every kind that a signer reads", () => {
    for (const each of [authorisations, named]) {
      expect(each.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(READINGS).toSorted());
    }
  });

  it.each(named)("of a $kind name the cluster, and are taken in no other", ({ kind, payload, signature }) => {
    const read = READINGS[kind] ?? expect.fail(`nothing reads a ${kind}`);
    const signed = { payload: new Uint8Array(Buffer.from(payload)), signature: bytesOf(signature) };
    expect(JSON.parse(payload)).toMatchObject({ cluster: clusterId });
    expect(read(config, signed, START_MS + 1_000).ok).toBe(true);
    expect(read({ ...config, clusterId: "another" }, signed, START_MS + 1_000).ok).toBe(false);
  });

  it.each([...authorisations, ...named])(
    "of a $kind are taken as they were signed, and as nothing else",
    (each) => {
      const { kind, payload, signature } = each;
      const read = READINGS[kind] ?? expect.fail(`nothing reads a ${kind}`);
      const isTaken = (text: Uint8Array, by: Uint8Array) =>
        read(config, { payload: text, signature: by }, START_MS + 1_000).ok;
      const text = new Uint8Array(Buffer.from(payload));
      expect(isTaken(text, bytesOf(signature))).toBe(true);
      expect(isSignedByHand(text, signature, authorityKey)).toBe(true);
      for (const changed of changes(text)) expect(isTaken(changed, bytesOf(signature))).toBe(false);
      for (const changed of changes(bytesOf(signature))) expect(isTaken(text, changed)).toBe(false);
    },
  );
});

describe("evidence", () => {
  const read = parseEvidence(evidenceText());
  const { evidence, bytes } = read.kind === "evidence" ? read : expect.fail(read.why);

  it("INV-7 proves the fault of its accused to anybody who has the roster", () => {
    expect(verifyFault(evidence, ROSTER)).toMatchObject({
      kind: "proven",
      culprit: 2,
      check: "frost/2 z·G = ±(D + ρ·E) + λ·c·S",
    });
  });

  it("INV-7 proves nothing with any byte changed", () => {
    for (const changed of changes(bytes)) {
      const decoded = decode(evidenceCodec, changed);
      expect(decoded.ok && verifyFault(decoded.value, ROSTER).kind).not.toBe("proven");
    }
  });
});

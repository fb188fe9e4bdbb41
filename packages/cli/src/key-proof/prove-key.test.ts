import {
  attestationBytes,
  type KeyStatement,
  keyAttestationsView,
  keyIdSchema,
  organisationIdSchema,
  statementBytes,
} from "@conclave/custody";
import { signEd25519 } from "@conclave/threshold";
import { insecurePartySecrets, insecurePeerKeys, testParty } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { type PinnedCluster, proveKey } from "./prove-key.ts";

const said = (threshold: number, total: number): Omit<KeyStatement, "signer"> => ({
  cluster: "test",
  orgId: organisationIdSchema.parse("or-aaaaa-bbbbb-0000000000000001"),
  keyId: keyIdSchema.parse("key-aaaaa-bbbbb-0000000000000002"),
  origin: "generated",
  threshold,
  total,
  scheme: "ECDSA",
  publicKey: "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
  date: "2026-01-02T03:04:05.678Z",
});

const viewBy = (signers: readonly number[], threshold: number) => {
  const key = said(threshold, signers.length);
  const attestations = signers.map((index) => {
    const signer = testParty(index);
    const { identity } = insecurePartySecrets(signer);
    const statement = statementBytes({ signer, ...key });
    const stated = { statement, signature: signEd25519(statement, identity) };
    return { signature: signEd25519(attestationBytes(key), identity), stated };
  });
  const { keyId: id, scheme, publicKey } = key;
  const view = keyAttestationsView("test", { id, scheme, publicKey, internalKey: undefined }, attestations);
  return { ...view, attestations: [...view.attestations], keyId: id };
};

const hex = (index: number): string =>
  Buffer.from(insecurePeerKeys(testParty(index)).identity).toString("hex");
const signer = (index: number) => ({
  index,
  id: `signer-${index}`,
  address: "127.0.0.1:9000",
  identityKey: hex(index),
  encryptionKey: hex(index),
});
const DATE = "2026-03-04T05:06:07.890Z";
const base = { renewals: 0, added: [], removed: [], date: DATE, signature: "" };

describe("verify-key, by a roster with a history,", () => {
  test("proves no key that only two signers attest under a former threshold", () => {
    // signers 1, 2, 3 with threshold 2; then 4 and 5 came, 3 was leaving, and the threshold became 3; then 3 had left
    const removed = [{ index: 3, id: "signer-3", identityKey: hex(3), reason: { why: "left" as const } }];
    const pinned: PinnedCluster = {
      clusterId: "test",
      threshold: 3,
      signers: [1, 2, 4, 5].map(signer),
      changes: [
        { ...base, threshold: 2, added: [4, 5] },
        { ...base, threshold: 3, removed },
      ],
    };
    expect(proveKey(pinned, viewBy([1, 2], 2))).toMatchObject({ kind: "unproven" });
  });

  test("says until when the roster had the key's threshold, if today's differs", () => {
    const pinned: PinnedCluster = {
      clusterId: "test",
      threshold: 2,
      signers: [1, 2, 3].map(signer),
      changes: [{ ...base, threshold: 3 }],
    };
    expect(proveKey(pinned, viewBy([1, 2, 3], 3))).toMatchObject({ kind: "stated", until: DATE });
  });
});

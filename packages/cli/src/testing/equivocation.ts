import type { Roster } from "@conclave/platform";
import {
  type Attempt,
  attemptSession,
  ENVELOPE_KIND,
  type Evidence,
  NO_MATERIAL,
  type PartyIndex,
} from "@conclave/threshold";
import {
  insecurePartySecrets,
  insecurePeerKeys,
  signEnvelope,
  testParties,
  testParty,
} from "@conclave/threshold/testing";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** A cluster of three signers with the keys of the test parties. */
export const testRoster: Roster = {
  clusterId: "evidence-test",
  parameters: "INSECURE-TEST",
  threshold: 2,
  authorityKey: "00".repeat(32),
  signers: testParties(3).map((index) => {
    const { identity, encryption } = insecurePeerKeys(index);
    const keys = { identityKey: hex(identity), encryptionKey: hex(encryption) };
    return { index, id: `signer-${index}`, address: "127.0.0.1:1", ...keys };
  }),
};

const ATTEMPT: Attempt = {
  given: new Uint8Array(32).fill(5),
  expiresAtMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  protocol: "presigning",
  level: "INSECURE-TEST",
  scheme: "CGGMP24",
  keyId: "key-aaaaa-bbbbb-0000000000000001",
  epoch: 1,
  parties: [testParty(1), testParty(3)],
  threshold: 2,
  total: 3,
  agreed: [],
};

/** The check that fails when a party signs two different messages of one round. */
export const SIGNED_TWICE = "round 1: two different messages for one place";

const signedBy = (from: PartyIndex, payload: Uint8Array) => {
  const roster = new Map(testParties(3).map((party) => [party, insecurePeerKeys(party)]));
  const session = attemptSession(ATTEMPT, roster);
  if (session === undefined) throw new Error("every party is in the roster");
  return signEnvelope(
    { session, round: 1, kind: ENVELOPE_KIND.broadcast, from, to: 0 },
    payload,
    insecurePartySecrets(from).identity,
  );
};

/** Evidence that signer 3 sent its peers two different messages, as an honest signer reports it. */
export const equivocation = (): Evidence => ({
  attempt: ATTEMPT,
  accused: testParty(3),
  check: SIGNED_TWICE,
  messages: [Uint8Array.of(1), Uint8Array.of(2)].map((payload) => signedBy(testParty(3), payload)),
  material: NO_MATERIAL,
});

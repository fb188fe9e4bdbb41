import {
  type Attempt,
  attemptSession,
  type IdentityRoster,
  type SessionFields,
  sessionId,
} from "@conclave/threshold";
import {
  insecurePartySecrets,
  insecurePeerKeys,
  seededEntropy,
  signEnvelope,
  testParties,
  testParty,
  testSessionId,
} from "@conclave/threshold/testing";
import { attemptCodec } from "../../../packages/threshold/src/blame/attempt.ts";
import { encode } from "../../../packages/threshold/src/codec.ts";
import { echoCodec } from "../../../packages/threshold/src/session/echo.ts";
import {
  ENVELOPE_KIND,
  type Envelope,
  type EnvelopeHeader,
  envelopeCodec,
  signedBytes,
} from "../../../packages/threshold/src/session/envelope.ts";
import { seal } from "../../../packages/threshold/src/session/seal.ts";
import { signedHash } from "../../../packages/threshold/src/session/signed-message.ts";

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const filled = (byte: number, length = 32): Uint8Array => new Uint8Array(length).fill(byte);

/** The signers of the vectors. INSECURE: their secrets are derived from their numbers. */
export const PARTIES = testParties(5);

/** The roster that verifies the vectors: the identity keys of PARTIES. */
export const ROSTER: IdentityRoster = new Map(PARTIES.map((party) => [party, insecurePeerKeys(party)]));

export const rosterVectors = () =>
  PARTIES.map((party) => ({
    party,
    identity: hexOf(insecurePeerKeys(party).identity),
    identitySecret: hexOf(insecurePartySecrets(party).identity),
    encryption: hexOf(insecurePeerKeys(party).encryption),
    encryptionSecret: hexOf(insecurePartySecrets(party).encryption),
  }));

const SESSION: SessionFields = {
  execution: filled(1),
  protocol: "keygen",
  keyId: "key-1",
  epoch: 0,
  parties: PARTIES.slice(0, 3).map((index) => ({ index, identity: insecurePeerKeys(index).identity })),
  threshold: 2,
  total: 3,
  curve: "secp256k1",
};

/** Session ids, each with its fields. */
export const sessionVectors = () =>
  [SESSION, { ...SESSION, protocol: "keygen/FROST-Ed25519", curve: "ed25519" as const, epoch: 7 }].map(
    (fields) => ({
      ...fields,
      execution: hexOf(fields.execution),
      parties: fields.parties.map(({ index, identity }) => ({ index, identity: hexOf(identity) })),
      session: hexOf(sessionId(fields)),
    }),
  );

const BASE = {
  given: testSessionId("given"),
  expiresAtMs: 1_795_000_020_000,
  level: "CGGMP24-128",
  scheme: "CGGMP24",
  keyId: "key-aaaaa-bbbbb-0000000000000001",
  epoch: 1,
  parties: PARTIES,
  threshold: 3,
  total: 5,
} as const;
const QUORUM = [testParty(1), testParty(3), testParty(4)];

const ATTEMPTS: readonly Attempt[] = [
  { ...BASE, protocol: "auxiliary", keyId: "", epoch: 2, agreed: [Uint8Array.of(0, 0, 0, 1)] },
  { ...BASE, protocol: "key-generation", scheme: "FROST-Taproot", agreed: [] },
  { ...BASE, protocol: "key-refresh", agreed: [filled(2), Uint8Array.of(0, 0, 0, 2)] },
  {
    ...BASE,
    protocol: "key-reshare",
    scheme: "FROST-Ed25519",
    agreed: [
      filled(2),
      Uint8Array.of(0, 0, 0, 5),
      Uint8Array.of(0x0d, 0, 0, 0, 0, 0, 0, 0),
      Uint8Array.of(0x1f, 0, 0, 0, 0, 0, 0, 0),
    ],
  },
  { ...BASE, protocol: "presigning", parties: QUORUM, agreed: [filled(2), filled(3)] },
  {
    ...BASE,
    protocol: "pooled-signing",
    parties: QUORUM,
    agreed: [filled(4), Uint8Array.of(0), filled(2), filled(5), filled(3), filled(6)],
  },
  {
    ...BASE,
    protocol: "signing",
    scheme: "FROST-Taproot",
    parties: QUORUM,
    agreed: [filled(4), Uint8Array.of(1), filled(2), filled(5), filled(7)],
  },
];

/** Attempts, each encoded and with the session id that its parties derive. */
export const attemptVectors = () =>
  ATTEMPTS.map((attempt) => ({
    ...attempt,
    given: hexOf(attempt.given),
    agreed: attempt.agreed.map(hexOf),
    session: hexOf(attemptSession(attempt, ROSTER) ?? filled(0)),
    encoding: hexOf(encode(attemptCodec, attempt)),
  }));

const headerOf = (round: number, kind: number, to: number, from = 1): EnvelopeHeader => ({
  session: testSessionId("envelopes"),
  round,
  kind,
  from,
  to,
});

const signedBy = (header: EnvelopeHeader, payload: Uint8Array): Envelope =>
  signEnvelope(header, payload, insecurePartySecrets(testParty(header.from)).identity);

const written = (what: string, envelope: Envelope, more: Readonly<Record<string, string>> = {}) => {
  const { session, round, kind, from, to, payload, signature } = envelope;
  const header = { session, round, kind, from, to };
  return {
    what,
    header: { ...header, session: hexOf(session) },
    payload: hexOf(payload),
    signed: hexOf(signedBytes(header, signedHash(envelope).payloadHash)),
    signature: hexOf(signature),
    encoding: hexOf(encode(envelopeCodec, envelope)),
    ...more,
  };
};

/** An envelope of every kind; the echo is party 1's, about the broadcasts of parties 2 and 3. */
export const envelopeVectors = () => {
  const broadcast = signedBy(headerOf(1, ENVELOPE_KIND.broadcast, 0), filled(0xaa));
  const heard = [2, 3].map((from) => signedBy(headerOf(1, ENVELOPE_KIND.broadcast, 0, from), filled(from)));
  const claims = heard.map((envelope) => ({ party: envelope.from, ...signedHash(envelope) }));
  const echo = signedBy(headerOf(1, ENVELOPE_KIND.echo, 0), encode(echoCodec(3), claims));
  const sealedHeader = headerOf(2, ENVELOPE_KIND.direct, 3);
  const receiver = insecurePeerKeys(testParty(3)).encryption;
  const share = filled(0x11);
  const sealed = seal(share, receiver, sealedHeader, seededEntropy("protocol vectors/seal"));
  return [
    written("broadcast", broadcast),
    written("broadcast of party 2", heard[0] ?? broadcast),
    written("broadcast of party 3", heard[1] ?? broadcast),
    written("echo", echo),
    written("direct, plain", signedBy(headerOf(3, ENVELOPE_KIND.direct, 2), Uint8Array.of(1, 2, 3))),
    written("direct, empty", signedBy(headerOf(2, ENVELOPE_KIND.direct, 2), new Uint8Array(0))),
    written("direct, sealed", signedBy(sealedHeader, sealed), { plaintext: hexOf(share) }),
  ];
};

import { sha256 } from "@noble/hashes/sha2.js";
import { type AuxiliaryOpening, auxiliaryOpeningCodec, auxiliaryOpenings } from "../../auxiliary/opening.ts";
import { attemptSession, type IdentityRoster } from "../../blame/attempt.ts";
import { type Evidence, evidenceOf } from "../../blame/evidence.ts";
import { encode } from "../../codec.ts";
import type { PartyIndex } from "../../fault.ts";
import { PRODUCTION_PARAMETERS } from "../../parameters.ts";
import { noSmallFactorProofCodec } from "../../proofs/no-small-factor.ts";
import { blumModulusProofBytesMax, blumModulusProofCodec } from "../../proofs/paillier-blum-modulus.ts";
import { encodeEcho } from "../../session/echo.ts";
import { ENVELOPE_KIND, type Envelope, type EnvelopeKind, signEnvelope } from "../../session/envelope.ts";
import { EMPTY_MAILBOX, type Mailbox, messagesAgainst, withReceived } from "../../session/mailbox.ts";
import { NO_MATERIAL } from "../../session/material.ts";
import { testParties, testParty } from "../insecure-auxiliary.ts";
import { testAttempt, testRoster } from "../mutation/attempts.ts";
import { insecurePartySecrets, testConfigs } from "../session-network.ts";

const REPORTER = testParty(1);
const CHEAT = testParty(2);
const PARAMETERS = PRODUCTION_PARAMETERS;
/** as long as any element modulo a production modulus, and different for each party and place */
const element = (party: PartyIndex, place: number): bigint =>
  (1n << BigInt(2 * PARAMETERS.primeBits - 1)) + BigInt(party * 1_000 + place) * 2n;

/**
 * An opening of full length. Its proof is invalid, but judging another party's message of round 3 does not
 * check it.
 */
const openingOf = (party: PartyIndex): AuxiliaryOpening => {
  const elements = Array.from({ length: PARAMETERS.iterations }, (_, at) => element(party, at));
  return {
    n: element(party, 500),
    nHat: element(party, 501),
    s: element(party, 502),
    t: element(party, 503),
    proof: { commitments: elements, responses: elements },
    rho: sha256(Uint8Array.of(party)),
    mask: sha256(Uint8Array.of(party, 1)),
  };
};

/** A Πmod or Πfac of full length that proves nothing. */
const wrongProofs = {
  "aux/3 Πmod": (party: PartyIndex): Uint8Array => {
    const x = element(party, 600);
    const answers = Array.from({ length: PARAMETERS.iterations }, () => ({ x, a: true, b: true, z: x }));
    return encode(blumModulusProofCodec(PARAMETERS), { w: x, answers });
  },
  "aux/3 Πfac": (party: PartyIndex): Uint8Array => {
    const [x, z] = [element(party, 601), 1n << 2_000n];
    const proof = { commitmentP: x, commitmentQ: x, a: x, b: x, t: x, z1: z, z2: z, w1: z, w2: z, v: z };
    return encode(noSmallFactorProofCodec(PARAMETERS), proof);
  },
} as const;

/** A fault of the third round of auxiliary generation, at the production level. */
export type LargeFault = keyof typeof wrongProofs;

/** A fault of a large cluster, as an honest signer reports it. */
export interface LargeEvidence {
  readonly evidence: Evidence;
  readonly roster: IdentityRoster;
  readonly culprit: PartyIndex;
}

/**
 * The evidence, in production's lengths, that party 2 of a cluster of `total` signers sent a wrong proof on
 * its modulus: all messages that the reporter received, reduced as `evidenceOf` does. The keys are published,
 * and the primes are not primes.
 *
 * @param total number of signers, at least 2
 */
export const insecureLargeEvidence = (total: number, check: LargeFault): LargeEvidence => {
  const parties = testParties(total);
  const roster = testRoster(parties);
  const { attempt } = testAttempt(`large ${check} of ${total}`, parties, {
    protocol: "auxiliary",
    level: PARAMETERS.name,
    epoch: 1,
    agreed: [Uint8Array.of(0, 0, 0, 0)],
  });
  const session = attemptSession(attempt, roster) ?? new Uint8Array(0);
  const run = { session, self: REPORTER, parties, epoch: 1, parameters: PARAMETERS };
  const rules = auxiliaryOpenings(run);
  const signed = (from: PartyIndex, round: number, kind: EnvelopeKind, payload: Uint8Array): Envelope => {
    const to = kind === ENVELOPE_KIND.direct ? REPORTER : 0;
    return signEnvelope({ session, round, kind, from, to }, payload, insecurePartySecrets(from).identity);
  };
  const { broadcast, direct, echo } = ENVELOPE_KIND;
  const nothing = new Uint8Array(blumModulusProofBytesMax(PARAMETERS));
  const said = parties.flatMap((party) => {
    const opening = openingOf(party);
    const third = party === CHEAT && check === "aux/3 Πmod" ? wrongProofs[check](party) : nothing;
    return [
      signed(party, 1, broadcast, rules.commit(party, opening)),
      signed(party, 2, broadcast, encode(auxiliaryOpeningCodec(PARAMETERS), opening)),
      signed(party, 3, broadcast, third),
      signed(party, 3, direct, wrongProofs["aux/3 Πfac"](party)),
    ];
  });
  const received = said.map((envelope) => {
    const [from, kind] = [testParty(envelope.from), envelope.kind === direct ? direct : broadcast];
    return { from, kind, envelope, payloadHash: sha256(envelope.payload) };
  });
  const config = testConfigs(parties, session).get(CHEAT);
  if (config === undefined) throw new RangeError("a cluster has two signers or more");
  const commitments = received.filter(({ from, envelope }) => from !== CHEAT && envelope.round === 1);
  const heard = signed(CHEAT, 1, echo, encodeEcho(config, commitments));
  const mailbox = [
    ...received.filter(({ from }) => from !== REPORTER),
    { from: CHEAT, kind: echo, envelope: heard, payloadHash: sha256(heard.payload) },
  ].reduce<Mailbox>(withReceived, EMPTY_MAILBOX);
  const own = said.filter(({ from, kind }) => from === REPORTER && kind === broadcast);
  const messages = messagesAgainst(mailbox, CHEAT, 3, own);
  const evidence = evidenceOf(attempt, { culprit: CHEAT, check, messages, material: NO_MATERIAL });
  return { evidence, roster, culprit: CHEAT };
};

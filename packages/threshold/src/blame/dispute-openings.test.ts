import { describe, expect, test } from "vitest";
import { publicAuxiliaryDigest } from "../auxiliary/public-auxiliary.ts";
import { decode, encode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { scalar } from "../group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import {
  type DisputeOpening,
  disputeOpeningCodec,
  olderOpeningCodec,
  revealCodec,
} from "../presign/messages.ts";
import { startPresigning } from "../presign/presign.ts";
import type { Presignature } from "../presign/presignature.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import type { SessionConfig } from "../session/config.ts";
import { ENVELOPE_KIND, type Envelope, signEnvelope } from "../session/envelope.ts";
import type { Start } from "../session/round.ts";
import { isEnvelope, type SignedMessage } from "../session/signed-message.ts";
import { insecureAuxiliaryInfo, testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureKeyShares } from "../testing/insecure-key-shares.ts";
import { testAttempt, testRoster } from "../testing/mutation/attempts.ts";
import { lyingStart } from "../testing/mutation/lying-start.ts";
import { insecurePartySecrets, runSessions, testConfigs } from "../testing/session-network.ts";
import { type Evidence, evidenceCodec, evidenceOf } from "./evidence.ts";
import { verifyFault } from "./verify-fault.ts";

const signers = testParties(3);
const [honest, cheat, other] = [testParty(1), testParty(2), testParty(3)];
const roster = testRoster(signers);
const keys = insecureKeyShares(signers.length, signers);
const auxiliaries = insecureAuxiliaryInfo(signers);
const ofParty = (party: PartyIndex) => ({
  key: keys.get(party) ?? expect.fail("the dealer leaves nobody out"),
  auxiliary: auxiliaries.get(party) ?? expect.fail("the dealer leaves nobody out"),
});
const { key, auxiliary } = ofParty(honest);
const agreed = [keyDigest(key.info), publicAuxiliaryDigest(auxiliary)];

const bent = (payload: Uint8Array): Uint8Array => {
  const reveal = decode(revealCodec, payload);
  if (!reveal.ok) return expect.fail(reveal.reason);
  return encode(revealCodec, { ...reveal.value, delta: scalar(reveal.value.delta + 1n) });
};

/** Evidence of a presigning in which one signer lies about its δ, and then opens its values or stays silent. */
const evidenceOfRun = (opens: boolean): Evidence => {
  const { attempt, session } = testAttempt(`opens: ${opens}`, signers, {
    protocol: "presigning",
    threshold: signers.length,
    agreed,
  });
  const start = ({ session: of, self }: SessionConfig): Start<Presignature> => {
    const made = startPresigning({ session: of, self, signers, ...ofParty(self) });
    if (self !== cheat) return made;
    // a cheat that opens pretends that a peer lied, so that it enters the dispute like its victims
    const hear = (from: PartyIndex, payload: Uint8Array) => (from === honest ? bent(payload) : payload);
    return lyingStart(made, { round: 3, say: bent, hear });
  };
  const { outcomes } = runSessions({
    configs: testConfigs(signers, session),
    start,
    seed: "dispute",
    wire: ({ to, envelope }) =>
      !opens && envelope.from === cheat && envelope.round === 4 ? [] : [{ to, envelope }],
  });
  const outcome = outcomes.get(honest);
  return outcome?.kind === "fault" ? evidenceOf(attempt, outcome.fault) : expect.fail("the cheat is named");
};

const isOpening = (message: SignedMessage): message is Envelope =>
  isEnvelope(message) && message.round === 4 && message.kind === ENVELOPE_KIND.broadcast;
const openers = ({ messages }: Evidence) => messages.filter(isOpening).map(({ from }) => from);

/** The evidence with these parties' openings changed and signed again by them. */
const withOpenings = (
  evidence: Evidence,
  parties: readonly PartyIndex[],
  change: (opening: DisputeOpening) => Uint8Array,
): Evidence => ({
  ...evidence,
  messages: evidence.messages.map((message) => {
    const party = parties.find((one) => isOpening(message) && one === message.from);
    if (party === undefined || !isOpening(message)) return message;
    const opening = decode(disputeOpeningCodec(parameters, 2), message.payload);
    if (!opening.ok) return expect.fail(opening.reason);
    return signEnvelope(message, change(opening.value), insecurePartySecrets(party).identity);
  }),
});
const proves = (evidence: Evidence): number | undefined => {
  const verdict = verifyFault(evidence, roster);
  return verdict.kind === "proven" ? verdict.culprit : undefined;
};

describe("evidence of a wrong δ whose signer opened nothing", () => {
  let made: Evidence | undefined;
  const evidenceOfSilence = (): Evidence => {
    made ??= evidenceOfRun(false);
    return made;
  };

  test("INV-7 proves the fault from what all others opened", () => {
    const evidence = evidenceOfSilence();
    expect(evidence).toMatchObject({ accused: cheat, check: "presign/4 δ" });
    expect(openers(evidence)).toEqual(expect.arrayContaining([honest, other]));
    expect(openers(evidence)).not.toContain(cheat);
    const decoded = decode(evidenceCodec, encode(evidenceCodec, evidence));
    expect(decoded.ok && proves(decoded.value)).toBe(cheat);
  });

  test("INV-7 proves nothing of anybody else, or of another check", () => {
    const evidence = evidenceOfSilence();
    for (const accused of [honest, other]) expect(proves({ ...evidence, accused })).toBeUndefined();
    for (const check of ["presign/4 S", "presign/4 opening of F", "presign/4 decoding: "]) {
      expect(proves({ ...evidence, check })).toBeUndefined();
    }
  });

  test("INV-7 proves nothing when an opening lacks or is false", () => {
    const evidence = evidenceOfSilence();
    for (const party of [honest, other]) {
      const messages = evidence.messages.filter((one) => !isOpening(one) || one.from !== party);
      expect(proves({ ...evidence, messages })).toBeUndefined();
      const lying = withOpenings(evidence, [party], (opening) =>
        encode(disputeOpeningCodec(parameters, 2), {
          ...opening,
          offsets: opening.offsets.map(({ alpha, root }) => ({ alpha: alpha + 5n, root })),
        }),
      );
      expect(proves(lying)).toBeUndefined();
      for (const accused of signers.filter((one) => one !== party)) {
        expect(proves({ ...lying, accused })).toBeUndefined();
      }
    }
  });
});

describe("evidence of a wrong δ as an older version signed it", () => {
  const evidence = evidenceOfRun(true);
  const older = withOpenings(evidence, signers, (opening) =>
    encode(olderOpeningCodec(parameters, 2), { ...opening, offsets: [] }),
  );

  test("INV-7 still proves the fault, with the openings of all", () => {
    expect(openers(evidence)).toContain(cheat);
    expect(proves(evidence)).toBe(cheat);
    expect(proves(older)).toBe(cheat);
    for (const accused of [honest, other]) expect(proves({ ...older, accused })).toBeUndefined();
  });

  test("INV-7 proves nothing without the opening of the accused", () => {
    const messages = older.messages.filter((one) => !isOpening(one) || one.from !== cheat);
    expect(proves({ ...older, messages })).toBeUndefined();
  });

  test("INV-7 an opening in the older form is no malformed one", () => {
    const check = "presign/4 decoding: message ends too early";
    for (const accused of signers) expect(proves({ ...older, accused, check })).toBeUndefined();
  });
});

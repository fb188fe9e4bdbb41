import { equalBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { type Codec, decode, encode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { GENERATOR, scalar, sumPoints } from "../group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { awaited } from "../session/awaited.ts";
import { ENVELOPE_KIND, type Envelope, signEnvelope } from "../session/envelope.ts";
import type { Outcome } from "../session/outcome.ts";
import { deliver, openSession, type Progress } from "../session/session.ts";
import { testParty } from "../testing/insecure-auxiliary.ts";
import { presignStages } from "../testing/presign-stages.ts";
import { presignConfig } from "../testing/presigning.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { insecurePartySecrets, runSessions, testConfigs } from "../testing/session-network.ts";
import { findCulprit } from "./judgement.ts";
import { conversionsCodec, disputeOpeningCodec, type Reveal, revealCodec } from "./messages.ts";
import { startPresigning } from "./presign.ts";
import type { Presignature } from "./presignature.ts";
import { presignRun } from "./run.ts";

const { broadcast, echo } = ENVELOPE_KIND;
const honest = testParty(1);
const cheat = testParty(2);
const signers = [honest, cheat];
const config = { t: 2, n: 3, signers };
const { session } = presignConfig(config, honest);
const sessions = testConfigs(signers, session);
const seed = "lockstep"; // the seed of the stages, so that the cheat's opening belongs to the same run

const network = runSessions({
  configs: sessions,
  start: ({ self }) => startPresigning(presignConfig(config, self)),
  seed,
});
const ofCheat = network.sent.filter(({ from }) => from === cheat);
const echoOfCheat = ofCheat.find(({ round, kind }) => round === 3 && kind === echo) ?? expect.fail();

const signedByCheat = (round: number, payload: Uint8Array): Envelope =>
  signEnvelope(
    { session, round, kind: broadcast, from: cheat, to: 0 },
    payload,
    insecurePartySecrets(cheat).identity,
  );

const mustDecode = <T>(codec: Codec<T>, payload: Uint8Array): T => {
  const decoded = decode(codec, payload);
  return decoded.ok ? decoded.value : expect.fail(decoded.reason);
};

const revealWith = (change: (reveal: Reveal) => Partial<Reveal>): Envelope => {
  const { payload } = ofCheat.find(({ round, kind }) => round === 3 && kind === broadcast) ?? expect.fail();
  const reveal = mustDecode(revealCodec, payload);
  return signedByCheat(3, encode(revealCodec, { ...reveal, ...change(reveal) }));
};
const wrongReveal = revealWith(({ delta }) => ({ delta: scalar(delta + 1n) }));
const wrongPartOfKey = revealWith(({ S }) => ({ S: S.add(GENERATOR) }));

/** The cheat's honest opening: the cheat receives a wrong δ, and so enters the dispute. */
const opening = (() => {
  const slot = { round: 3, kind: "broadcast", codec: revealCodec } as const;
  const step = presignStages(config).against(cheat, slot, honest, (reveal) => ({
    ...reveal,
    delta: scalar(reveal.delta + 1n),
  }));
  const [message = expect.fail()] = step.kind === "next" ? step.messages : [];
  return signedByCheat(4, message.payload);
})();

/** The honest signer's session while it waits for the cheat in round 3; tests continue from it in many ways. */
const atRound3 = (() => {
  const own = sessions.get(honest) ?? expect.fail();
  const entropy = seededEntropy(`${seed}/${honest}`);
  let progress = openSession(own, startPresigning(presignConfig(config, honest)), entropy);
  for (const envelope of ofCheat.filter(({ round }) => round < 3)) {
    progress = deliver(progress.session, envelope, entropy);
  }
  return progress.session;
})();

const hear = (...envelopes: readonly Envelope[]): readonly Progress<Presignature>[] => {
  const steps: Progress<Presignature>[] = [];
  let session = atRound3;
  for (const envelope of envelopes) {
    const progress = deliver(session, envelope, seededEntropy("later"));
    steps.push(progress);
    session = progress.session;
  }
  return steps;
};

const ended = (steps: readonly Progress<Presignature>[]): Outcome<Presignature> | undefined =>
  steps.at(-1)?.outcome;

describe("an honest presigning over sessions", () => {
  it("ends after three rounds, and all of them are agreed upon", () => {
    const rounds = (kind: number) =>
      new Set(network.sent.filter((sent) => sent.kind === kind).map(({ round }) => round));
    expect([...network.outcomes.values()].map(({ kind }) => kind)).toEqual(["output", "output"]);
    expect(rounds(broadcast)).toEqual(new Set([1, 2, 3]));
    expect(rounds(echo)).toEqual(new Set([1, 2, 3]));
  });

  it("P15 opens nothing once it has its output", () => {
    const rightReveal = ofCheat.find(({ round, kind }) => round === 3 && kind === broadcast) ?? expect.fail();
    const [, done, late] = hear(rightReveal, echoOfCheat, opening);
    expect(done?.outcome.kind).toBe("output");
    expect(late).toMatchObject({ send: [], ignored: "finished" });
  });
});

describe("a dispute over sessions", () => {
  it("INV-7 names a cheat in δ that opens nothing, at once, and sends our opening", () => {
    const steps = hear(wrongReveal, echoOfCheat);
    expect(ended(steps)).toMatchObject({ kind: "fault", fault: { culprit: cheat, check: "presign/4 δ" } });
    expect(steps.at(-1)?.send.map(({ round, kind }) => [round, kind])).toEqual([[4, broadcast]]);
  });

  it("waits for the opening of a cheat in S, and says so", () => {
    const [, disputing] = hear(wrongPartOfKey, echoOfCheat);
    expect(disputing?.outcome).toEqual({ kind: "running", round: 4 });
    expect(disputing?.session && awaited(disputing.session)).toEqual([cheat]);
  });

  it("INV-7 names the cheat, whose opening may come before its echo; ours goes out in any case", () => {
    for (const order of [
      [wrongReveal, echoOfCheat, opening],
      [opening, wrongReveal, echoOfCheat],
    ]) {
      const steps = hear(...order);
      expect(ended(steps)).toMatchObject({ fault: { culprit: cheat, check: "presign/4 δ" } });
      const opened = steps.flatMap(({ send }) => send).filter(({ round }) => round === 4);
      expect(opened).toHaveLength(1);
    }
  });

  it("P12 INV-7 names a signer that says another δ to another, before anybody opens", () => {
    const rightReveal = ofCheat.find(({ round, kind }) => round === 3 && kind === broadcast) ?? expect.fail();
    const steps = hear(rightReveal, wrongReveal);
    expect(ended(steps)).toMatchObject({ kind: "fault", fault: { culprit: cheat } });
    expect(steps.flatMap(({ send }) => send).filter(({ round }) => round === 4)).toEqual([]);
  });

  it("INV-7 leaves evidence from which a third party comes to the same name", () => {
    const outcome = ended(hear(wrongReveal, echoOfCheat, opening));
    const fault = outcome?.kind === "fault" ? outcome.fault : expect.fail();
    const envelopes = fault.messages.flatMap((one) => ("payload" in one ? [one] : []));
    const read = <T>(codec: Codec<T>, round: number): ReadonlyMap<PartyIndex, T> =>
      new Map(
        signers.map((party) => {
          const said = envelopes.find(
            (one) => one.from === party && one.round === round && one.kind === broadcast,
          );
          return [party, mustDecode(codec, said?.payload ?? expect.fail())];
        }),
      );
    const conversions = read(conversionsCodec(parameters, 1), 2);
    const members = signers.map((index) => {
      const { own, publicShare } = presignRun(presignConfig(config, index)); // both values are public
      return { index, paillier: own.paillier.publicKey, publicShare };
    });
    const disputed = {
      product: "nonce",
      members,
      conversions,
      reveals: read(revealCodec, 3),
      Gamma: sumPoints([...conversions.values()].map(({ Gamma }) => Gamma)),
    } as const;
    const ours = envelopes.find((one) => one.from === honest && one.round === 4) ?? expect.fail();
    const openings = new Map([[honest, mustDecode(disputeOpeningCodec(parameters, 1), ours.payload)]]);
    const { culprit, check } = fault;
    expect(findCulprit(disputed, openings, signers)).toEqual({ culprit, check });
    const echoed = envelopes.filter(({ from, kind }) => from === cheat && kind === echo);
    expect(echoed.map(({ round }) => round)).toEqual([1, 2, 3]);
    expect(echoed.some(({ payload }) => equalBytes(payload, echoOfCheat.payload))).toBe(true);
  });
});

import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { decode, encode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { decrypt, encrypt } from "../paillier.ts";
import { proveRingPedersen } from "../proofs/ring-pedersen-parameters.ts";
import { commit, commitOwn } from "../ring-pedersen.ts";
import { Secret } from "../secret.ts";
import { awaited } from "../session/awaited.ts";
import type { SessionConfig } from "../session/config.ts";
import { ENVELOPE_KIND, type EnvelopeKind } from "../session/envelope.ts";
import type { Session } from "../session/session.ts";
import { insecureAuxiliaryPrimes, testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { INSECURE_BLUM_PRIMES, INSECURE_SAFE_PRIMES } from "../testing/insecure-test-primes.ts";
import { attack } from "../testing/mutation/attack.ts";
import type { Lie } from "../testing/mutation/lie.ts";
import { payloadIn, payloadLie } from "../testing/mutation/message-lies.ts";
import { type Rehearsal, rehearse, type Stage } from "../testing/mutation/rehearsal.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { testConfigs, testSessionId } from "../testing/session-network.ts";
import { startAuxiliaryGeneration } from "./auxiliary.ts";
import type { AuxiliaryInfo } from "./auxiliary-info.ts";
import { type AuxiliaryOpening, auxiliaryCommitment, auxiliaryOpeningCodec } from "./opening.ts";
import { type AuxiliaryRun, parametersContext } from "./run.ts";

const parties = testParties(3);
const [alice, cheat, carol] = [testParty(1), testParty(2), testParty(3)];
const honest = [alice, carol];
const SESSION = testSessionId("auxiliary generation");
const { broadcast, direct } = ENVELOPE_KIND;

type Stages = Rehearsal<AuxiliaryInfo>["stages"];

const runOf = (self: PartyIndex, session = SESSION): AuxiliaryRun => ({
  session,
  self,
  parties,
  epoch: 5,
  parameters,
});

const start = ({ self, session }: SessionConfig) => {
  const primes = new Secret(insecureAuxiliaryPrimes(self));
  return startAuxiliaryGeneration({ ...runOf(self, session), primes });
};

/** An honest run in real sessions; the tests continue from each of its rounds with lies. */
const record = (session = SESSION): Rehearsal<AuxiliaryInfo> =>
  rehearse({ configs: testConfigs(parties, session), start, cheat });

const recorded = record();

const stageOf = (round: number, stages: Stages = recorded.stages): Stage<AuxiliaryInfo> =>
  stages.find((stage) => stage.round === round) ?? expect.fail(`no round ${round}`);

/** The honest message of one party to another. */
const sent = (
  round: number,
  kind: EnvelopeKind,
  from: PartyIndex = cheat,
  to: PartyIndex = from === alice ? cheat : alice,
  stages: Stages = recorded.stages,
): Uint8Array => payloadIn(stageOf(round, stages), kind, from, to) ?? expect.fail("no such message was sent");

const openingOf = (from: PartyIndex): AuxiliaryOpening => {
  const decoded = decode(auxiliaryOpeningCodec(parameters), sent(2, broadcast, from));
  return decoded.ok ? decoded.value : expect.fail(decoded.reason);
};

const lie = (round: number, kind: EnvelopeKind, payload: Uint8Array, to: Lie["to"] = "all"): Lie =>
  payloadLie(stageOf(round), kind, cheat, to, payload);

/** The cheat commits to a changed opening and opens it: the commitment is right, the content is wrong. */
const committingTo = (changed: Partial<AuxiliaryOpening>): readonly Lie[] => {
  const opening = { ...openingOf(cheat), ...changed };
  return [
    lie(1, broadcast, auxiliaryCommitment(runOf(cheat), cheat, opening)),
    lie(2, broadcast, encode(auxiliaryOpeningCodec(parameters), opening)),
  ];
};

const flip = (payload: Uint8Array): Uint8Array =>
  payload.map((byte, at) => (at === payload.length - 1 ? byte ^ 1 : byte));

const EMPTY = new Uint8Array(0);

/** The sessions of all parties after these lies. The run departs from the honest one in the round of the first lie. */
const afterLies = (
  lies: readonly Lie[],
  heard: readonly PartyIndex[] = honest,
  until: "heard" | "rest" = "heard",
): ReadonlyMap<PartyIndex, Session<AuxiliaryInfo>> => {
  const stage = stageOf(lies[0]?.round ?? 1);
  return attack({ stage, cheat, lies, heard, until }).sessions;
};

const verdictOf = (session: Session<unknown> | undefined): unknown => {
  const { outcome } = session ?? expect.fail("no such session");
  if (outcome.kind !== "fault") return outcome.kind;
  return { culprit: outcome.fault.culprit, check: outcome.fault.check };
};

/** The accusations that the honest parties make. */
const verdicts = (lies: readonly Lie[]): readonly unknown[] => {
  const sessions = afterLies(lies);
  return honest.map((party) => verdictOf(sessions.get(party)));
};

const namingTheCheat = (check: unknown): readonly unknown[] => honest.map(() => ({ culprit: cheat, check }));

const infoOf = (party: PartyIndex): AuxiliaryInfo => {
  const outcome = recorded.end.sessions.get(party)?.outcome;
  return outcome?.kind === "output" ? outcome.output : expect.fail("the run gave no output");
};

const blum = (position: number): bigint => INSECURE_BLUM_PRIMES[position] ?? 0n;
const safe = (position: number): bigint => INSECURE_SAFE_PRIMES[position] ?? 0n;

describe("auxiliary generation among honest parties", () => {
  const infos = parties.map(infoOf);

  test("ends with the same public values for everybody", () => {
    const [first, ...others] = infos.map(({ peers }) => peers);
    for (const peers of others) expect(peers).toEqual(first);
    expect([...(first?.keys() ?? [])]).toEqual(parties);
  });

  test("gives moduli that belong to their owners alone", () => {
    const moduli = infos.flatMap(({ peers, self }) => {
      const own = peers.get(self);
      return [own?.paillier.n, own?.pedersen.n];
    });
    expect(new Set(moduli).size).toBe(2 * parties.length);
  });

  test("gives keys that decrypt what a peer encrypts", () => {
    for (const { own, self } of infos) {
      for (const { peers } of infos) {
        const key = peers.get(self)?.paillier;
        if (key === undefined) throw new Error("a peer is missing");
        expect(decrypt(own.reveal().paillier, encrypt(key, -12345n, 6789n))).toBe(-12345n);
      }
    }
  });

  test("gives commitments that the owner can open by its λ", () => {
    for (const { own, peers, self } of infos) {
      const parametersOfSelf = peers.get(self)?.pedersen;
      if (parametersOfSelf === undefined) throw new Error("a peer is missing");
      expect(commitOwn(own.reveal().pedersen, 77n, -5n)).toBe(commit(parametersOfSelf, 77n, -5n));
    }
  });

  test("INV-10 the own secrets do not print", () => {
    const [info] = infos;
    const printed = `${inspect(info, { depth: 9 })} ${info?.own} ${JSON.stringify(info?.own)}`;
    for (const secret of Object.values(insecureAuxiliaryPrimes(1)))
      expect(printed).not.toContain(`${secret}`);
  });

  test("is a value: the same entropy gives the same messages", () => {
    const sentIn = ({ stages }: Rehearsal<AuxiliaryInfo>) => stages.map(({ opened }) => opened.transits);
    expect(sentIn(record())).toEqual(sentIn(recorded));
  });

  test("waits for a silent party and blames nobody", () => {
    const silent: Lie = { round: 2, kind: broadcast, to: "all", forge: () => [] };
    const sessions = afterLies([silent], honest, "rest");
    for (const party of honest) {
      const session = sessions.get(party) ?? expect.fail();
      expect(session.outcome).toEqual({ kind: "running", round: 2 });
      expect(awaited(session)).toEqual([cheat]);
    }
  });

  test("takes the primes: they serve one run only", () => {
    const primes = new Secret(insecureAuxiliaryPrimes(1));
    const start = startAuxiliaryGeneration({ ...runOf(alice), primes });
    expect(start(seededEntropy("a")).kind).toBe("next");
    expect(() => start(seededEntropy("b"))).toThrow("after it was taken");
  });
});

describe("INV-7 auxiliary generation names the peer that cheats", () => {
  test("a commitment that is no hash", () => {
    const short = lie(1, broadcast, sent(1, broadcast).slice(1));
    expect(verdicts([short])).toEqual(namingTheCheat("aux/1 decoding: message ends too early"));
  });

  test.each([1, 2])(
    "P12 an opening of something else than was committed to, changed in round %i",
    (round) => {
      const changed = lie(round, broadcast, flip(sent(round, broadcast)));
      expect(verdicts([changed])).toEqual(namingTheCheat("aux/2 opening of V"));
    },
  );

  test("another party's commitment and opening, copied", () => {
    const copied = [1, 2].map((round) => lie(round, broadcast, sent(round, broadcast, alice)));
    expect(verdicts(copied)).toEqual(namingTheCheat("aux/2 opening of V"));
  });

  test("P10 an opening that lacks its end, or everything", () => {
    for (const payload of [sent(2, broadcast).slice(0, -1), EMPTY]) {
      expect(verdicts([lie(2, broadcast, payload)])).toEqual(
        namingTheCheat("aux/2 decoding: message ends too early"),
      );
    }
  });

  test("P13 an opening above the size limit", () => {
    const long = lie(2, broadcast, new Uint8Array(20_000));
    expect(verdicts([long])).toEqual(
      namingTheCheat(expect.stringMatching(/^round 2: payload of 20000 bytes, at most \d+ allowed$/)),
    );
  });

  const { n, nHat, s, t } = openingOf(cheat);
  const ofThreeParts = blum(20) * (blum(21) >> 320n) * ((blum(22) >> 320n) | 1n);

  test.each<[string, Partial<AuxiliaryOpening>, string]>([
    ["N too short", { n: n >> 8n }, "N: bit length"],
    ["N^ too short", { nHat: nHat >> 8n }, "N^: bit length"],
    ["N even", { n: n - 1n }, "N: oddness"],
    ["N^ even", { nHat: nHat - 1n }, "N^: oddness"],
    ["N = N^", { nHat: n }, "N ≠ N^"],
    ["N = 0", { n: 0n }, "N: bit length"],
    ["N^ = 1", { nHat: 1n }, "N^: bit length"],
    ["s = 0", { s: 0n }, "range of s and t"],
    ["s = 1", { s: 1n }, "range of s and t"],
    ["t = 1", { t: 1n }, "range of s and t"],
    ["s = N^", { s: nHat }, "range of s and t"],
    ["t = N^", { t: nHat }, "range of s and t"],
    ["s = t", { s: t }, "s ≠ t"],
    ["s that shares a factor with N^", { s: safe(2) }, "s and t prime to N^"],
    ["t that shares a factor with N^", { t: safe(3) }, "s and t prime to N^"],
    ["s outside the proof", { s: (s * s) % nHat }, "Πprm"],
    ["t outside the proof", { t: (t * t) % nHat }, "Πprm"],
    ["N^ outside the proof", { nHat: safe(20) * safe(21) }, "Πprm"],
  ])("%s", (_, changed, check) => {
    expect(verdicts(committingTo(changed))).toEqual(namingTheCheat(`aux/2 ${check}`));
  });

  test("P1 a modulus with a small factor", () => {
    const smooth = blum(20) * ((blum(21) >> 20n) | 1n) * 1_048_573n; // the largest prime below 2^20
    expect(verdicts(committingTo({ n: smooth }))).toEqual(namingTheCheat("aux/2 N: small factors"));
    expect(verdicts(committingTo({ nHat: smooth }))).toEqual(namingTheCheat("aux/2 N^: small factors"));
  });

  test("a modulus that is a prime", () => {
    const prime = (1n << 1279n) - 1n; // Mersenne's, of 1279 bits
    expect(verdicts(committingTo({ n: prime }))).toEqual(namingTheCheat("aux/2 N: compositeness"));
    expect(verdicts(committingTo({ nHat: prime }))).toEqual(namingTheCheat("aux/2 N^: compositeness"));
  });

  test("a modulus that is a square of a prime", () => {
    const square = blum(20) ** 2n;
    expect(verdicts(committingTo({ n: square }))).toEqual(namingTheCheat("aux/2 N: perfect power"));
    expect(verdicts(committingTo({ nHat: square }))).toEqual(namingTheCheat("aux/2 N^: perfect power"));
  });

  test.each<[string, (own: AuxiliaryOpening) => Partial<AuxiliaryOpening>]>([
    ["N that is our N", (own) => ({ n: own.n })],
    ["N that is our N^", (own) => ({ n: own.nHat })],
    ["N^ that is our N", (own) => ({ nHat: own.n, s: 4n, t: 9n })],
    ["N^ that is our N^", (own) => ({ nHat: own.nHat, s: 4n, t: 9n })],
  ])("%s, and no third party for it", (_, copy) => {
    for (const victim of honest) {
      const sessions = afterLies(committingTo(copy(openingOf(victim))), [victim]);
      const check = "aux/2 moduli distinct from ours";
      expect(verdictOf(sessions.get(victim))).toEqual({ culprit: cheat, check });
      for (const { outcome } of sessions.values()) {
        if (outcome.kind === "fault") expect(outcome.fault.culprit).toBe(cheat);
      }
    }
  });

  test("P11 Πprm made for another session or by another party", () => {
    const pedersen = infoOf(cheat).own.reveal().pedersen;
    const elsewhere = [
      parametersContext(runOf(cheat, new Uint8Array(32)), cheat),
      parametersContext(runOf(cheat), alice),
    ];
    for (const context of elsewhere) {
      const proof = proveRingPedersen(context, parameters, pedersen, seededEntropy("elsewhere"));
      expect(verdicts(committingTo({ proof }))).toEqual(namingTheCheat("aux/2 Πprm"));
    }
  });

  test("a modulus of three primes, for which no proof of two factors exists", () => {
    expect(verdicts(committingTo({ n: ofThreeParts }))).toEqual(
      namingTheCheat(expect.stringMatching(/^aux\/(2 N|3 Π)/)),
    );
  });

  test("P1 a modulus whose factors it does not know", () => {
    const foreign = blum(20) * blum(21);
    expect(verdicts(committingTo({ n: foreign }))).toEqual(namingTheCheat("aux/3 Πfac"));
  });

  test("a changed Πmod", () => {
    expect(verdicts([lie(3, broadcast, flip(sent(3, broadcast)))])).toEqual(namingTheCheat("aux/3 Πmod"));
  });

  test("a changed Πfac", () => {
    const changed = honest.map((to) => lie(3, direct, flip(sent(3, direct, cheat, to)), to));
    expect(verdicts(changed)).toEqual(namingTheCheat("aux/3 Πfac"));
  });

  test("P10 proofs that are empty", () => {
    const reason = "message ends too early";
    expect(verdicts([lie(3, broadcast, EMPTY)])).toEqual(namingTheCheat(`aux/3 decoding of Πmod: ${reason}`));
    expect(verdicts([lie(3, direct, EMPTY)])).toEqual(namingTheCheat(`aux/3 decoding of Πfac: ${reason}`));
  });

  test("P11 Πfac that was made for another verifier", () => {
    const exchanged = [
      lie(3, direct, sent(3, direct, cheat, carol), alice),
      lie(3, direct, sent(3, direct, cheat, alice), carol),
    ];
    expect(verdicts(exchanged)).toEqual(namingTheCheat("aux/3 Πfac"));
  });

  test("P11 Πmod that another party made", () => {
    expect(verdicts([lie(3, broadcast, sent(3, broadcast, alice))])).toEqual(namingTheCheat("aux/3 Πmod"));
  });

  test("P11 Πmod and Πfac of the same moduli from another session", () => {
    const { stages } = record(testSessionId("another auxiliary generation"));
    const ofAll = lie(3, broadcast, sent(3, broadcast, cheat, alice, stages));
    expect(verdicts([ofAll])).toEqual(namingTheCheat("aux/3 Πmod"));
    const ofEach = honest.map((to) => lie(3, direct, sent(3, direct, cheat, to, stages), to));
    expect(verdicts(ofEach)).toEqual(namingTheCheat("aux/3 Πfac"));
  });

  test("the same in a changed ρ: proofs of one run do not stand in a run with other randomness", () => {
    const changed = committingTo({ rho: new Uint8Array(32) });
    const replayed = [...changed, lie(3, broadcast, sent(3, broadcast))];
    expect(verdicts(replayed)).toEqual(namingTheCheat(expect.stringMatching(/^aux\/3 Π(fac|mod)$/)));
  });
});

import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { decode, encode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { decrypt, encrypt } from "../paillier.ts";
import { proveRingPedersen } from "../proofs/ring-pedersen-parameters.ts";
import { commit, commitOwn } from "../ring-pedersen.ts";
import { Secret } from "../secret.ts";
import { insecureAuxiliaryPrimes, testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { INSECURE_BLUM_PRIMES, INSECURE_SAFE_PRIMES } from "../testing/insecure-test-primes.ts";
import { type LockstepOutcome, type Mutate, type Passing, runLockstep } from "../testing/lockstep.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { startAuxiliaryGeneration } from "./auxiliary.ts";
import type { AuxiliaryInfo } from "./auxiliary-info.ts";
import { commitmentTo, type Opening, openingCodec } from "./opening.ts";
import { type AuxiliaryRun, parametersContext } from "./run.ts";

const parties = testParties(3);
const cheat = testParty(2);
const honest = parties.filter((party) => party !== cheat);
const SESSION = new Uint8Array(32).fill(7);

type Outcomes = ReadonlyMap<PartyIndex, LockstepOutcome<AuxiliaryInfo>>;

const runOf = (self: PartyIndex, session = SESSION): AuxiliaryRun => ({
  session,
  self,
  parties,
  epoch: 5,
  parameters,
});

const generate = (mutate?: Mutate, session = SESSION): Outcomes => {
  const starts = parties.map((self) => {
    const primes = new Secret(insecureAuxiliaryPrimes(self));
    return [self, startAuxiliaryGeneration({ ...runOf(self, session), primes })] as const;
  });
  return runLockstep({ starts: new Map(starts), seed: "aux", ...(mutate && { mutate }) });
};

/** An honest run, and every message of it. */
const recordRun = (
  session = SESSION,
): { readonly outcomes: Outcomes; readonly messages: readonly Passing[] } => {
  const messages: Passing[] = [];
  const outcomes = generate((passing) => {
    messages.push(passing);
    return passing.payload;
  }, session);
  return { outcomes, messages };
};

const recorded = recordRun();

const sent = (messages: readonly Passing[], wanted: Partial<Passing>): Uint8Array => {
  const found = messages.find(
    ({ from, to, round, kind }) =>
      from === (wanted.from ?? cheat) &&
      to === (wanted.to ?? to) &&
      round === wanted.round &&
      kind === (wanted.kind ?? "broadcast"),
  );
  if (found === undefined) throw new Error("no such message was sent");
  return found.payload;
};

const openingOf = (from: PartyIndex): Opening => {
  const decoded = decode(openingCodec(parameters), sent(recorded.messages, { from, round: 2 }));
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.value;
};

/** The cheat sends `payload` in a round; all others are honest. */
const replacing =
  (round: number, kind: Passing["kind"], payload: (honestly: Uint8Array) => Uint8Array | undefined): Mutate =>
  (passing) =>
    passing.from === cheat && passing.round === round && passing.kind === kind
      ? payload(passing.payload)
      : passing.payload;

/** The cheat commits to another opening and shows it: the commitment opens, the content is rotten. */
const committingTo = (changed: Partial<Opening>): Mutate => {
  const opening = { ...openingOf(cheat), ...changed };
  return (passing) => {
    if (passing.from !== cheat) return passing.payload;
    if (passing.round === 1) return commitmentTo(runOf(cheat), cheat, opening);
    return passing.round === 2 ? encode(openingCodec(parameters), opening) : passing.payload;
  };
};

const flip = (payload: Uint8Array): Uint8Array => {
  const flipped = payload.slice();
  const last = flipped.length - 1;
  flipped[last] = (flipped[last] ?? 0) ^ 1;
  return flipped;
};

/** What the honest parties say. */
const verdicts = (mutate: Mutate): readonly unknown[] => {
  const outcomes = generate(mutate);
  return honest.map((party) => {
    const outcome = outcomes.get(party);
    return outcome?.kind === "fault" ? outcome.accusation : outcome?.kind;
  });
};

const namingTheCheat = (check: unknown): readonly unknown[] => honest.map(() => ({ culprit: cheat, check }));

const infoOf = (outcomes: Outcomes, party: PartyIndex): AuxiliaryInfo => {
  const outcome = outcomes.get(party);
  if (outcome?.kind !== "output") throw new Error("the run gave no output");
  return outcome.output;
};

const blum = (position: number): bigint => INSECURE_BLUM_PRIMES[position] ?? 0n;
const safe = (position: number): bigint => INSECURE_SAFE_PRIMES[position] ?? 0n;

describe("auxiliary generation among honest parties", () => {
  const infos = parties.map((party) => infoOf(recorded.outcomes, party));

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
    expect(recordRun().messages).toEqual(recorded.messages);
  });

  test("waits for a silent party and blames nobody", () => {
    const outcomes = generate(replacing(2, "broadcast", () => undefined));
    for (const party of honest) {
      expect(outcomes.get(party)).toEqual({ kind: "waiting", round: 2, missing: [cheat] });
    }
  });

  test("takes the primes: they serve one run only", () => {
    const primes = new Secret(insecureAuxiliaryPrimes(1));
    const start = startAuxiliaryGeneration({ ...runOf(testParty(1)), primes });
    expect(start(seededEntropy("a")).kind).toBe("next");
    expect(() => start(seededEntropy("b"))).toThrow("after it was taken");
  });
});

describe("INV-7 auxiliary generation names the peer that cheats", () => {
  test("a commitment that is no hash", () => {
    const short = replacing(1, "broadcast", (payload) => payload.slice(1));
    expect(verdicts(short)).toEqual(namingTheCheat("aux/1 decoding: message ends too early"));
  });

  test("P12 an opening of something else than was committed to", () => {
    expect(verdicts(replacing(1, "broadcast", flip))).toEqual(namingTheCheat("aux/2 opening of V"));
    expect(verdicts(replacing(2, "broadcast", flip))).toEqual(namingTheCheat("aux/2 opening of V"));
  });

  test("another party's commitment and opening, copied", () => {
    const copied: Mutate = (passing) =>
      passing.from === cheat && passing.round < 3
        ? sent(recorded.messages, { from: testParty(1), round: passing.round })
        : passing.payload;
    expect(verdicts(copied)).toEqual(namingTheCheat("aux/2 opening of V"));
  });

  test("P10 an opening that lacks its end, or has too much", () => {
    const cut = replacing(2, "broadcast", (payload) => payload.slice(0, -1));
    expect(verdicts(cut)).toEqual(namingTheCheat("aux/2 decoding: message ends too early"));
    const empty = replacing(2, "broadcast", () => new Uint8Array(0));
    expect(verdicts(empty)).toEqual(namingTheCheat("aux/2 decoding: message ends too early"));
  });

  test("P13 an opening above the size limit", () => {
    const long = replacing(2, "broadcast", () => new Uint8Array(20_000));
    expect(verdicts(long)).toEqual(namingTheCheat("payload size"));
  });

  const { n, nHat, s, t } = openingOf(cheat);
  const ofThreeParts = blum(20) * (blum(21) >> 320n) * ((blum(22) >> 320n) | 1n);

  test.each<[string, Partial<Opening>, string]>([
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

  test("a modulus that is a square of a prime", () => {
    const square = blum(20) ** 2n;
    expect(verdicts(committingTo({ n: square }))).toEqual(namingTheCheat("aux/2 N: perfect power"));
    expect(verdicts(committingTo({ nHat: square }))).toEqual(namingTheCheat("aux/2 N^: perfect power"));
  });

  test.each<[string, (own: Opening) => Partial<Opening>]>([
    ["N that is our N", (own) => ({ n: own.n })],
    ["N that is our N^", (own) => ({ n: own.nHat })],
    ["N^ that is our N", (own) => ({ nHat: own.n })],
    ["N^ that is our N^", (own) => ({ nHat: own.nHat })],
  ])("%s, and no third party for it", (_, copy) => {
    for (const victim of honest) {
      const outcomes = generate(committingTo(copy(openingOf(victim))));
      expect(outcomes.get(victim)).toEqual({
        kind: "fault",
        accusation: { culprit: cheat, check: "aux/2 moduli distinct from ours" },
      });
      for (const outcome of outcomes.values()) {
        if (outcome.kind === "fault") expect(outcome.accusation.culprit).toBe(cheat);
      }
    }
  });

  test("P11 Πprm made for another session or by another party", () => {
    const pedersen = infoOf(recorded.outcomes, cheat).own.reveal().pedersen;
    const elsewhere = [
      parametersContext(runOf(cheat, new Uint8Array(32)), cheat),
      parametersContext(runOf(cheat), testParty(1)),
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
    expect(verdicts(replacing(3, "broadcast", flip))).toEqual(namingTheCheat("aux/3 Πmod"));
  });

  test("a changed Πfac", () => {
    expect(verdicts(replacing(3, "direct", flip))).toEqual(namingTheCheat("aux/3 Πfac"));
  });

  test("P10 proofs that are empty", () => {
    const empty = (): Uint8Array => new Uint8Array(0);
    const reason = "message ends too early";
    expect(verdicts(replacing(3, "broadcast", empty))).toEqual(
      namingTheCheat(`aux/3 decoding of Πmod: ${reason}`),
    );
    expect(verdicts(replacing(3, "direct", empty))).toEqual(
      namingTheCheat(`aux/3 decoding of Πfac: ${reason}`),
    );
  });

  test("P11 Πfac that was made for another verifier", () => {
    const exchanged: Mutate = (passing) => {
      if (passing.from !== cheat || passing.kind !== "direct") return passing.payload;
      const other = honest.find((party) => party !== passing.to);
      return sent(recorded.messages, { round: 3, kind: "direct", ...(other && { to: other }) });
    };
    expect(verdicts(exchanged)).toEqual(namingTheCheat("aux/3 Πfac"));
  });

  test("P11 Πmod that another party made", () => {
    const payload = sent(recorded.messages, { from: testParty(1), round: 3 });
    expect(verdicts(replacing(3, "broadcast", () => payload))).toEqual(namingTheCheat("aux/3 Πmod"));
  });

  test("P11 Πmod and Πfac of the same moduli from another session", () => {
    const { messages } = recordRun(new Uint8Array(32).fill(8));
    const old = sent(messages, { round: 3 });
    expect(verdicts(replacing(3, "broadcast", () => old))).toEqual(namingTheCheat("aux/3 Πmod"));
    const replayed: Mutate = (passing) =>
      passing.from === cheat && passing.kind === "direct"
        ? sent(messages, { round: 3, kind: "direct", to: passing.to })
        : passing.payload;
    expect(verdicts(replayed)).toEqual(namingTheCheat("aux/3 Πfac"));
  });

  test("the same in a changed ρ: proofs of one run do not stand in a run with other randomness", () => {
    const old = sent(recorded.messages, { round: 3 });
    const changed = committingTo({ rho: new Uint8Array(32) });
    const replayed: Mutate = (passing) =>
      passing.from === cheat && passing.round === 3 && passing.kind === "broadcast" ? old : changed(passing);
    expect(verdicts(replayed)).toEqual(namingTheCheat(expect.stringMatching(/^aux\/3 Π(fac|mod)$/)));
  });
});

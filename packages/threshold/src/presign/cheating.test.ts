import { bytesToNumberBE, numberToBytesBE } from "@noble/curves/utils.js";
import { describe, expect, it, test } from "vitest";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { GENERATOR, ORDER, SCALAR_BYTES, scalar } from "../group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import type { Inbox, Step } from "../session/round.ts";
import { insecureOwnAuxiliary, testParty } from "../testing/insecure-auxiliary.ts";
import { presignStages, type Slot } from "../testing/presign-stages.ts";
import { presign, presignConfig, type TestPresigning } from "../testing/presigning.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import {
  commitmentProofsCodec,
  commitmentsCodec,
  conversionProofsCodec,
  conversionsCodec,
  revealCodec,
} from "./messages.ts";
import { startPresigning } from "./presign.ts";
import type { Presignature } from "./presignature.ts";

const honest = testParty(1);
const cheat = testParty(2);
const pair: TestPresigning = { t: 2, n: 3, signers: [honest, cheat] };
const { paillier } = insecureOwnAuxiliary(cheat);

const commitments = { round: 1, kind: "broadcast", codec: commitmentsCodec(parameters) } as const;
const commitmentProofs = { round: 1, kind: "direct", codec: commitmentProofsCodec(parameters) } as const;
const conversions = { round: 2, kind: "broadcast", codec: conversionsCodec(parameters, 1) } as const;
const conversionProofs = { round: 2, kind: "direct", codec: conversionProofsCodec(parameters) } as const;
const reveals = { round: 3, kind: "broadcast", codec: revealCodec } as const;

const stages = presignStages(pair);

/** The next step of the honest signer when the cheat's message is changed. */
const against = <T>(slot: Slot<T>, change: (message: T) => T): Step<Presignature> =>
  stages.against(honest, slot, cheat, change);

const named = (check: string, culprit: PartyIndex = cheat) => ({
  kind: "fault",
  accusation: { culprit, check },
});

describe("a cheat in round 1 is named", () => {
  const ofK = named("presign/1 Πenc-elg of K");
  const ofG = named("presign/1 Πenc-elg of G");

  test.each([
    ["K", (K: bigint) => K + 1n],
    ["K", () => 0n],
    ["K", () => paillier.factors.p],
    ["K", (K: bigint) => K + paillier.publicKey.nSquared],
  ] as const)("%s is not what was proven, or no ciphertext", (field, change) => {
    const outcome = against(commitments, (message) => ({ ...message, [field]: change(message[field]) }));
    expect(outcome).toMatchObject({ kind: "fault", accusation: { culprit: cheat } });
  });

  it("when G is another ciphertext", () => {
    expect(against(commitments, (message) => ({ ...message, G: message.G + 1n }))).toMatchObject(ofG);
  });

  test.each(["Y", "A1", "A2"] as const)("when %s is another point", (field) => {
    const outcome = against(commitments, (message) => ({
      ...message,
      [field]: message[field].add(GENERATOR),
    }));
    expect(outcome).toMatchObject(ofK);
  });

  test.each(["B1", "B2"] as const)("when %s is another point", (field) => {
    const outcome = against(commitments, (message) => ({
      ...message,
      [field]: message[field].add(GENERATOR),
    }));
    expect(outcome).toMatchObject(ofG);
  });

  it("when K and G are exchanged", () => {
    expect(against(commitments, (message) => ({ ...message, K: message.G, G: message.K }))).toMatchObject(
      ofK,
    );
  });

  it("P11 when the proofs of K and G are exchanged", () => {
    expect(against(commitmentProofs, ({ K, G }) => ({ K: G, G: K }))).toMatchObject(ofK);
  });

  it("P5 when z1 leaves its range", () => {
    const bound = 1n << BigInt(parameters.ell + parameters.epsilon);
    expect(against(commitmentProofs, ({ K, G }) => ({ K: { ...K, z1: bound + 1n }, G }))).toMatchObject(ofK);
    expect(against(commitmentProofs, ({ K, G }) => ({ K, G: { ...G, z1: -bound - 1n } }))).toMatchObject(ofG);
  });

  it("P11 when it replays the proofs of another session", () => {
    const earlier = startPresigning(presignConfig({ ...pair, session: "earlier" }, cheat));
    const started = earlier(seededEntropy(`lockstep/${cheat}`));
    const sent = started.kind === "next" ? started.messages : [];
    const { payload } = sent.find(({ to }) => to === honest) ?? expect.fail();
    expect(stages.hearing(honest, 1, [{ from: cheat, kind: "direct", payload }])).toMatchObject(ofK);
  });

  it("P12 when it copies the honest signer's own round", () => {
    const own = stages.standing(cheat, 1).inbox;
    const kinds: readonly Exclude<keyof Inbox, "signed">[] = ["broadcast", "direct"];
    const copies = kinds.map((kind) => ({ from: cheat, kind, payload: own[kind](honest) }));
    expect(stages.hearing(honest, 1, copies)).toMatchObject(ofK);
  });
});

describe("a cheat in round 2 is named", () => {
  const ofGamma = named("presign/2 Πelog of Γ");
  const ofD = named("presign/2 Πaff-g of D");
  const ofDHat = named("presign/2 Πaff-g of D^");

  it("when Γ_j is another point than it committed to", () => {
    const outcome = against(conversions, (message) => ({ ...message, Gamma: message.Gamma.add(GENERATOR) }));
    expect(outcome).toMatchObject(ofGamma);
  });

  test.each(["z", "u"] as const)("when the response %s of Πelog is changed", (field) => {
    const outcome = against(conversions, (message) => ({
      ...message,
      proof: { ...message.proof, [field]: scalar(message.proof[field] + 1n) },
    }));
    expect(outcome).toMatchObject(ofGamma);
  });

  test.each([
    ["D", "nonce", ofD],
    ["F", "nonce", ofD],
    ["D", "key", ofDHat],
    ["F", "key", ofDHat],
  ] as const)("when %s of the %s conversion is another ciphertext, or none", (field, part, expected) => {
    const values = [(value: bigint) => value + 1n, () => 0n];
    for (const change of values) {
      const outcome = against(conversions, (message) => ({
        ...message,
        pairs: message.pairs.map((one) => ({
          ...one,
          [part]: { ...one[part], [field]: change(one[part][field]) },
        })),
      }));
      expect(outcome).toMatchObject(expected);
    }
  });

  it("when the conversions of nonce and key are exchanged", () => {
    const outcome = against(conversions, (message) => ({
      ...message,
      pairs: message.pairs.map(({ nonce, key }) => ({ nonce: key, key: nonce })),
    }));
    expect(outcome).toMatchObject(ofD);
  });

  test.each([
    ["nonce", ofD],
    ["key", ofDHat],
  ] as const)("P5 when z1 or z2 of the %s proof leaves its range", (part, expected) => {
    const z1 = (1n << BigInt(parameters.ell + parameters.epsilon)) + 1n;
    const z2 = (1n << BigInt(parameters.ellPrime + parameters.epsilon)) + 1n;
    for (const wide of [{ z1 }, { z2 }, { z1: -z1 }, { z2: -z2 }]) {
      const outcome = against(conversionProofs, (proofs) => ({
        ...proofs,
        [part]: { ...proofs[part], ...wide },
      }));
      expect(outcome).toMatchObject(expected);
    }
  });

  it("P11 when the proofs of both conversions are exchanged", () => {
    expect(against(conversionProofs, ({ nonce, key }) => ({ nonce: key, key: nonce }))).toMatchObject(ofD);
  });
});

describe("nonces that cancel out", () => {
  it("P9 abort the session: Γ is the identity", () => {
    const draws = seededEntropy("honest");
    draws(SCALAR_BYTES); // k
    const gamma = bytesToNumberBE(draws(SCALAR_BYTES)) + 1n; // the honest signer's γ, sampled as sampleScalar does
    const cancelling = (): Entropy => {
      const rest = seededEntropy("cheat");
      let scalars = 0;
      return (length) => {
        const bytes = rest(length);
        if (length === SCALAR_BYTES) scalars++;
        return length === SCALAR_BYTES && scalars === 2 ? numberToBytesBE(ORDER - gamma - 1n, length) : bytes;
      };
    };
    const outcomes = presign(pair, {
      entropy: (party) => (party === cheat ? cancelling() : seededEntropy("honest")),
    });
    expect(outcomes.get(honest)).toEqual({ kind: "abort", check: "presign/2 Γ is the identity" });
  });
});

describe("a cheat in round 3 is named", () => {
  it("when Δ_j is another point than it committed to", () => {
    const outcome = against(reveals, (message) => ({ ...message, Delta: message.Delta.add(GENERATOR) }));
    expect(outcome).toMatchObject(named("presign/3 Πelog of Δ"));
  });

  it("when its Πelog is changed", () => {
    const outcome = against(reveals, (message) => ({
      ...message,
      proof: { ...message.proof, z: scalar(message.proof.z + 1n) },
    }));
    expect(outcome).toMatchObject(named("presign/3 Πelog of Δ"));
  });
});

const slots: readonly (readonly [string, Pick<Slot<unknown>, "round" | "kind">])[] = [
  commitments,
  commitmentProofs,
  conversions,
  conversionProofs,
  reveals,
].map(({ round, kind }) => [`round ${round} ${kind}`, { round, kind }]);

describe("bytes that are no message", () => {
  test.each(slots)("%s: the sender is named", (_, { round, kind }) => {
    const changes: ((payload: Uint8Array) => Uint8Array)[] = [
      () => new Uint8Array(0),
      (payload) => payload.slice(0, -1),
      (payload) => Uint8Array.from([...payload, 0]),
      (payload) => payload.map(() => 0xff),
    ];
    const payload = stages.standing(honest, round).inbox[kind](cheat);
    const check: unknown = expect.stringMatching(/^presign\/\d decoding: /);
    for (const change of changes) {
      const outcome = stages.hearing(honest, round, [{ from: cheat, kind, payload: change(payload) }]);
      expect(outcome).toMatchObject({ kind: "fault", accusation: { culprit: cheat, check } });
    }
  });

  test.each(slots)("P13 %s: what is far longer than an honest one is too long", (_, { round, kind }) => {
    const { inbox, round: value } = stages.standing(honest, round);
    const honestBytes = inbox[kind](cheat).length;
    const { payloadBytesMax } = value.expects;
    expect(payloadBytesMax).toBeGreaterThanOrEqual(honestBytes);
    const longest = Math.max(inbox.broadcast(cheat).length, round === 3 ? 0 : inbox.direct(cheat).length);
    expect(payloadBytesMax).toBeLessThan(2 * longest);
  });
});

describe("INV-7 among three signers", () => {
  const other = testParty(3);
  const three = presignStages({ t: 3, n: 5, signers: [honest, cheat, other] });

  it("both honest signers name the one whose broadcast is wrong, and never each other", () => {
    const slot = { ...conversions, codec: conversionsCodec(parameters, 2) };
    for (const party of [honest, other]) {
      const outcome = three.against(party, slot, cheat, (message) => ({
        ...message,
        Gamma: message.Gamma.add(GENERATOR),
      }));
      expect(outcome).toMatchObject(named("presign/2 Πelog of Γ"));
    }
  });

  it("a proof made for one verifier does not pass with another", () => {
    const payload = three.standing(other, 1).inbox.direct(cheat);
    const outcome = three.hearing(honest, 1, [{ from: cheat, kind: "direct", payload }]);
    expect(outcome).toMatchObject(named("presign/1 Πenc-elg of K"));
  });
});

import { bytesToNumberBE, numberToBytesBE } from "@noble/curves/utils.js";
import { describe, expect, it, test } from "vitest";
import { type Codec, decode, encode } from "../codec.ts";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { GENERATOR, ORDER, SCALAR_BYTES, scalar } from "../group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { insecureOwnAuxiliary, testParty } from "../testing/insecure-auxiliary.ts";
import type { LockstepOutcome, Passing } from "../testing/lockstep.ts";
import { presign, type TestPresigning } from "../testing/presigning.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import {
  commitmentProofsCodec,
  commitmentsCodec,
  conversionProofsCodec,
  conversionsCodec,
  revealCodec,
} from "./messages.ts";
import type { Presignature } from "./presignature.ts";

const honest = testParty(1);
const cheat = testParty(2);
const pair: TestPresigning = { t: 2, n: 3, signers: [honest, cheat] };
const { paillier } = insecureOwnAuxiliary(cheat);

/** One kind of message, and how to change what it says. */
interface Slot<T> {
  readonly round: number;
  readonly kind: Passing["kind"];
  readonly codec: Codec<T>;
}

const commitments = { round: 1, kind: "broadcast", codec: commitmentsCodec(parameters) } as const;
const commitmentProofs = { round: 1, kind: "direct", codec: commitmentProofsCodec(parameters) } as const;
const conversions = { round: 2, kind: "broadcast", codec: conversionsCodec(parameters, 1) } as const;
const conversionProofs = { round: 2, kind: "direct", codec: conversionProofsCodec(parameters) } as const;
const reveals = { round: 3, kind: "broadcast", codec: revealCodec } as const;

const isSlot = ({ from, round, kind }: Passing, slot: Pick<Slot<unknown>, "round" | "kind">): boolean =>
  from === cheat && round === slot.round && kind === slot.kind;

/** What the honest signer comes to when the cheat's message says something else. */
const against = <T>(slot: Slot<T>, change: (message: T) => T): LockstepOutcome<Presignature> | undefined =>
  presign(pair, {
    mutate: (passing) => {
      if (!isSlot(passing, slot)) return passing.payload;
      const message = decode(slot.codec, passing.payload);
      return message.ok ? encode(slot.codec, change(message.value)) : expect.fail(message.reason);
    },
  }).get(honest);

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
    expect(
      against(commitments, (message) => ({ ...message, [field]: change(message[field]) })),
    ).toMatchObject({ kind: "fault", accusation: { culprit: cheat } });
  });

  it("when G is another ciphertext", () => {
    expect(against(commitments, (message) => ({ ...message, G: message.G + 1n }))).toEqual(ofG);
  });

  test.each(["Y", "A1", "A2"] as const)("when %s is another point", (field) => {
    expect(
      against(commitments, (message) => ({ ...message, [field]: message[field].add(GENERATOR) })),
    ).toEqual(ofK);
  });

  test.each(["B1", "B2"] as const)("when %s is another point", (field) => {
    expect(
      against(commitments, (message) => ({ ...message, [field]: message[field].add(GENERATOR) })),
    ).toEqual(ofG);
  });

  it("when K and G change places", () => {
    expect(against(commitments, (message) => ({ ...message, K: message.G, G: message.K }))).toEqual(ofK);
  });

  it("P11 when the proofs of K and G change places", () => {
    expect(against(commitmentProofs, ({ K, G }) => ({ K: G, G: K }))).toEqual(ofK);
  });

  it("P5 when z1 leaves its range", () => {
    const bound = 1n << BigInt(parameters.ell + parameters.epsilon);
    expect(against(commitmentProofs, ({ K, G }) => ({ K: { ...K, z1: bound + 1n }, G }))).toEqual(ofK);
    expect(against(commitmentProofs, ({ K, G }) => ({ K, G: { ...G, z1: -bound - 1n } }))).toEqual(ofG);
  });

  it("P11 when it replays the proofs of another session", () => {
    const replayed: Uint8Array[] = [];
    presign(
      { ...pair, session: "earlier" },
      {
        mutate: (passing) => {
          if (isSlot(passing, commitmentProofs)) replayed.push(passing.payload);
          return passing.payload;
        },
      },
    );
    const [earlier = expect.fail()] = replayed;
    const outcome = presign(pair, {
      mutate: (passing) => (isSlot(passing, commitmentProofs) ? earlier : passing.payload),
    }).get(honest);
    expect(outcome).toEqual(ofK);
  });

  it("P12 when it copies the honest signer's own round", () => {
    const own = new Map<Passing["kind"], Uint8Array>();
    const outcome = presign(pair, {
      mutate: (passing) => {
        if (passing.round !== 1) return passing.payload;
        if (passing.from === honest) own.set(passing.kind, passing.payload);
        return passing.from === cheat ? own.get(passing.kind) : passing.payload;
      },
    }).get(honest);
    expect(outcome).toEqual(ofK);
  });
});

describe("a cheat in round 2 is named", () => {
  const ofGamma = named("presign/2 Πelog of Γ");
  const ofD = named("presign/2 Πaff-g of D");
  const ofDHat = named("presign/2 Πaff-g of D^");

  it("when Γ_j is another point than it committed to", () => {
    expect(against(conversions, (message) => ({ ...message, Gamma: message.Gamma.add(GENERATOR) }))).toEqual(
      ofGamma,
    );
  });

  test.each(["z", "u"] as const)("when the response %s of Πelog is changed", (field) => {
    const change = (value: bigint): bigint => scalar(value + 1n);
    expect(
      against(conversions, (message) => ({
        ...message,
        proof: { ...message.proof, [field]: change(message.proof[field]) },
      })),
    ).toEqual(ofGamma);
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
      expect(outcome).toEqual(expected);
    }
  });

  it("when the conversions of nonce and key change places", () => {
    const outcome = against(conversions, (message) => ({
      ...message,
      pairs: message.pairs.map(({ nonce, key }) => ({ nonce: key, key: nonce })),
    }));
    expect(outcome).toEqual(ofD);
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
      expect(outcome).toEqual(expected);
    }
  });

  it("P11 when the proofs of both conversions change places", () => {
    expect(against(conversionProofs, ({ nonce, key }) => ({ nonce: key, key: nonce }))).toEqual(ofD);
  });
});

describe("nonces that cancel out", () => {
  it("P9 abort the session: Γ is the identity", () => {
    const draws = seededEntropy("honest");
    draws(SCALAR_BYTES); // k
    const gamma = bytesToNumberBE(draws(SCALAR_BYTES)) + 1n; // the honest signer's, as sampleScalar draws it
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

describe("a cheat in round 3", () => {
  it("is named when Δ_j is another point than it committed to", () => {
    const outcome = against(reveals, (message) => ({ ...message, Delta: message.Delta.add(GENERATOR) }));
    expect(outcome).toEqual(named("presign/3 Πelog of Δ"));
  });

  it("is named when its Πelog is changed", () => {
    const outcome = against(reveals, (message) => ({
      ...message,
      proof: { ...message.proof, z: scalar(message.proof.z + 1n) },
    }));
    expect(outcome).toEqual(named("presign/3 Πelog of Δ"));
  });

  const disputed = { kind: "waiting", round: 4, missing: [cheat] };

  it("has its openings asked for when δ_j is wrong", () => {
    const outcome = against(reveals, (message) => ({ ...message, delta: scalar(message.delta + 1n) }));
    expect(outcome).toEqual(disputed);
  });

  it("has its openings asked for when S_j is wrong", () => {
    const outcome = against(reveals, (message) => ({ ...message, S: message.S.add(GENERATOR) }));
    expect(outcome).toEqual(disputed);
  });

  it("P9 has its openings asked for when it rushes to make δ zero", () => {
    let honestDelta = 0n;
    presign(pair, {
      mutate: ({ from, round, payload }) => {
        const message = decode(revealCodec, payload);
        if (from === honest && round === 3 && message.ok) honestDelta = message.value.delta;
        return payload;
      },
    });
    expect(honestDelta).not.toBe(0n);
    const outcome = against(reveals, (message) => ({ ...message, delta: scalar(-honestDelta) }));
    expect(outcome).toEqual(disputed);
  });
});

describe("bytes that are no message", () => {
  const slots = [commitments, commitmentProofs, conversions, conversionProofs, reveals];
  const label = ({ round, kind }: Pick<Slot<unknown>, "round" | "kind">) => `round ${round} ${kind}`;

  test.each(slots.map((slot) => [label(slot), slot] as const))("%s: the sender is named", (_, slot) => {
    const changes: ((payload: Uint8Array) => Uint8Array)[] = [
      () => new Uint8Array(0),
      (payload) => payload.slice(0, -1),
      (payload) => Uint8Array.from([...payload, 0]),
      (payload) => payload.map(() => 0xff),
    ];
    for (const change of changes) {
      const outcome = presign(pair, {
        mutate: (passing) => (isSlot(passing, slot) ? change(passing.payload) : passing.payload),
      }).get(honest);
      const check: unknown = expect.stringMatching(/^presign\/\d decoding: /);
      expect(outcome).toEqual({ kind: "fault", accusation: { culprit: cheat, check } });
    }
  });

  test.each(slots.map((slot) => [label(slot), slot] as const))(
    "P13 %s: a huge one is not decoded",
    (_, slot) => {
      const outcome = presign(pair, {
        mutate: (passing) => (isSlot(passing, slot) ? new Uint8Array(200_000) : passing.payload),
      }).get(honest);
      expect(outcome).toEqual(named("payload size"));
    },
  );
});

describe("INV-7 among three signers", () => {
  const other = testParty(3);
  const three: TestPresigning = { t: 3, n: 5, signers: [honest, cheat, other] };

  it("both honest signers name the one whose broadcast is wrong, and never each other", () => {
    const outcomes = presign(three, {
      mutate: (passing) => {
        if (!isSlot(passing, conversions)) return passing.payload;
        const codec = conversionsCodec(parameters, 2);
        const message = decode(codec, passing.payload);
        if (!message.ok) return expect.fail(message.reason);
        return encode(codec, { ...message.value, Gamma: message.value.Gamma.add(GENERATOR) });
      },
    });
    expect([outcomes.get(honest), outcomes.get(other)]).toEqual([
      named("presign/2 Πelog of Γ"),
      named("presign/2 Πelog of Γ"),
    ]);
  });

  it("a proof made for one verifier does not pass with another", () => {
    const toOther: Uint8Array[] = [];
    presign(three, {
      mutate: (passing) => {
        if (isSlot(passing, commitmentProofs) && passing.to === other) toOther.push(passing.payload);
        return passing.payload;
      },
    });
    const [wrong = expect.fail()] = toOther;
    const outcomes = presign(three, {
      mutate: (passing) =>
        isSlot(passing, commitmentProofs) && passing.to === honest ? wrong : passing.payload,
    });
    expect(outcomes.get(honest)).toEqual(named("presign/1 Πenc-elg of K"));
    expect(outcomes.get(other)?.kind).toBe("waiting");
  });
});

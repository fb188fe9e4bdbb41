import { ED25519_TORSION_SUBGROUP, ed25519 } from "@noble/curves/ed25519.js";
import { bytesToNumberBE, hexToBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { describe, expect, it, test } from "vitest";
import { decode, encode } from "../codec.ts";
import { type Curve, ED25519, type GroupPoint, SECP256K1 } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import { publicKeyOf } from "../public-key.ts";
import { FROST_BIP340, FROST_ED25519, FROST_TAPROOT, type Scheme } from "../scheme.ts";
import { ENVELOPE_KIND, type Envelope, signEnvelope } from "../session/envelope.ts";
import { provesEquivocation } from "../session/signed-message.ts";
import { frostConfig, frostStarts, type TestFrostSigning } from "../testing/frost-starts.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { type LockstepConfig, type Passing, runLockstep } from "../testing/lockstep.ts";
import { outputsOf } from "../testing/presigning.ts";
import { insecurePartySecrets, runSessions, testConfigs, testSessionId } from "../testing/session-network.ts";
import { startFrostSigning } from "./frost-signing.ts";
import { type CommitmentMessage, commitmentMessageCodec } from "./round1.ts";

const parties = testParties(5);
const [self, cheat, other] = [testParty(1), testParty(2), testParty(4)];
const signers = [self, cheat, other];
const message = new TextEncoder().encode("pay Bob one bitcoin");

const signingWith = <P extends GroupPoint<P>>(scheme: Scheme<P>): TestFrostSigning<P> => ({
  shares: insecureSchemeShares(scheme, 3, parties),
  signers,
  message,
});

const edwards = signingWith(FROST_ED25519);
const bip340 = signingWith(FROST_BIP340);

const run = <P extends GroupPoint<P>>(
  signing: TestFrostSigning<P>,
  mutate: LockstepConfig<Uint8Array>["mutate"] = ({ payload }) => payload,
) => runLockstep({ starts: frostStarts(signing), mutate });

const byCheat =
  (round: number, change: (payload: Uint8Array) => Uint8Array) =>
  ({ from, payload, ...passing }: Passing): Uint8Array =>
    from === cheat && passing.round === round ? change(payload) : payload;

/** The fault of the cheat, with any material for third parties. */
const fault = (check: string): unknown =>
  expect.objectContaining({ kind: "fault", accusation: { culprit: cheat, check } });
const OTHER_REQUEST = fault("frost/1 request");
const WRONG_SHARE = fault("frost/2 z·G = ±(D + ρ·E) + λ·c·S");

const honestOutcomes = <T>(outcomes: ReadonlyMap<PartyIndex, T>) => [outcomes.get(self), outcomes.get(other)];

const checkWrongShares = <P extends GroupPoint<P>>(scheme: Scheme<P>): void => {
  const signing = signingWith(scheme);
  const { order } = scheme.curve;

  test.each<readonly [string, (z: bigint) => bigint]>([
    ["one more", (z) => (z + 1n) % order],
    ["negated", (z) => order - z],
    ["zero", () => 0n],
  ])("%s: every honest signer names its sender, and there is no signature", (_, change) => {
    const outcomes = run(
      signing,
      byCheat(2, (payload) => numberToBytesBE(change(bytesToNumberBE(payload)), 32)),
    );
    expect(honestOutcomes(outcomes)).toEqual([WRONG_SHARE, WRONG_SHARE]);
  });

  test.each([
    ["not below q", numberToBytesBE(order, 32)],
    ["too short", new Uint8Array(31)],
    ["empty", new Uint8Array(0)],
  ])("P20 %s: its sender is named", (_, payload) => {
    const outcomes = run(
      signing,
      byCheat(2, () => payload),
    );
    for (const outcome of honestOutcomes(outcomes))
      expect(outcome).toMatchObject({ kind: "fault", accusation: { culprit: cheat } });
  });
};

describe("INV-7 a wrong signature share for Ed25519", () => checkWrongShares(FROST_ED25519));
describe("INV-7 a wrong signature share for BIP-340", () => checkWrongShares(FROST_BIP340));
describe("INV-7 a wrong signature share for Taproot", () => checkWrongShares(FROST_TAPROOT));

describe("INV-7 wrong signature shares of two", () => {
  it("name one of them, and never the honest signer", () => {
    const { order } = ED25519;
    const outcomes = run(edwards, ({ from, round, payload }) =>
      from !== self && round === 2 ? numberToBytesBE((bytesToNumberBE(payload) + 1n) % order, 32) : payload,
    );
    expect(outcomes.get(self)).toEqual(WRONG_SHARE);
  });

  it("that add up to a signature are harmless: it verifies, and is given out", () => {
    const { order } = ED25519;
    const outcomes = run(edwards, ({ from, round, payload }) => {
      if (from === self || round !== 2) return payload;
      return numberToBytesBE((bytesToNumberBE(payload) + (from === cheat ? 1n : order - 1n)) % order, 32);
    });
    expect(outcomes.get(self)?.kind).toBe("output");
  });
});

/** Changes the cheat's commitment message. */
const committing = <P extends GroupPoint<P>>(
  curve: Curve<P>,
  change: (said: CommitmentMessage) => Partial<CommitmentMessage>,
) =>
  byCheat(1, (payload) => {
    const codec = commitmentMessageCodec(curve);
    const said = decode(codec, payload);
    return said.ok ? encode(codec, { ...said.value, ...change(said.value) }) : expect.fail(said.reason);
  });

const torsion = ED25519_TORSION_SUBGROUP.map((hex) => ed25519.Point.fromHex(hex));

describe("P21 a commitment that is no point of the group", () => {
  const ofEd25519: readonly (readonly [string, Uint8Array])[] = [
    ...torsion.map((point, at) => [`of small order, ${at}`, point.toBytes()] as const),
    ["not on the curve", Uint8Array.from([2, ...new Uint8Array(31)])],
    ["the identity, written with y = p + 1", hexToBytes(`ee${"ff".repeat(30)}7f`)],
  ];
  const ofSecp256k1: readonly (readonly [string, Uint8Array])[] = [
    ["the identity", new Uint8Array(33)],
    ["not on the curve", Uint8Array.from([2, ...new Uint8Array(31), 5])],
    ["with a coordinate above p", Uint8Array.from([2, ...new Uint8Array(32).fill(255)])],
    ["with an unknown prefix", Uint8Array.from([4, ...SECP256K1.generator.toBytes(true).slice(1)])],
  ];

  test.each(ofEd25519)("Ed25519, %s: its sender is named by all, before anybody signs", (_, bytes) => {
    for (const [name, place] of [
      ["hiding", "D"],
      ["binding", "E"],
    ] as const) {
      const outcomes = run(
        edwards,
        committing(ED25519, () => ({ [name]: bytes })),
      );
      const expected = fault(`frost/1 ${place} is a point of the group`);
      expect(honestOutcomes(outcomes)).toEqual([expected, expected]);
    }
  });

  test.each(ofSecp256k1)("secp256k1, %s: its sender is named by all, before anybody signs", (_, bytes) => {
    const outcomes = run(
      bip340,
      committing(SECP256K1, () => ({ binding: bytes })),
    );
    const expected = fault("frost/1 E is a point of the group");
    expect(honestOutcomes(outcomes)).toEqual([expected, expected]);
  });

  it("of another length: its sender is named", () => {
    for (const change of [(payload: Uint8Array) => payload.slice(1), () => new Uint8Array(0)]) {
      const [outcome] = honestOutcomes(run(edwards, byCheat(1, change)));
      expect(outcome).toMatchObject({ kind: "fault", accusation: { culprit: cheat } });
    }
  });

  it("has no effect where it has only a component of small order: parsing removes that component", () => {
    const publicKey = publicKeyOf(edwards.shares.get(self)?.info ?? expect.fail());
    for (const point of torsion) {
      const dirty = (bytes: Uint8Array): Uint8Array => ed25519.Point.fromBytes(bytes).add(point).toBytes();
      const outcomes = run(
        edwards,
        committing(ED25519, ({ hiding, binding }) => ({ hiding: dirty(hiding), binding: dirty(binding) })),
      );
      const [outcome] = honestOutcomes(outcomes);
      expect(outcome?.kind === "output" && ed25519.verify(outcome.output, message, publicKey)).toBe(true);
    }
  });
});

describe("P21 signers with different requests", () => {
  const otherMessage = new TextEncoder().encode("pay Eve everything");

  /** The outcomes of all when one signer's configuration is changed, and whether any signature share was sent. */
  const withOneChanged = (
    change: (key: KeyShare<typeof ED25519.generator>) => Partial<ReturnType<typeof honestConfig>>,
  ) => {
    let haveSharesLeft = false;
    const starts = new Map(
      signers.map((signer) => {
        const config = honestConfig(signer);
        return [
          signer,
          startFrostSigning(signer === other ? { ...config, ...change(config.key) } : config),
        ] as const;
      }),
    );
    const outcomes = runLockstep({
      starts,
      mutate: ({ round, payload }) => {
        haveSharesLeft ||= round === 2;
        return payload;
      },
    });
    return { outcomes: [...outcomes.values()], haveSharesLeft };
  };
  const honestConfig = (signer: PartyIndex) => frostConfig(edwards, signer);
  const otherShares = insecureSchemeShares(FROST_ED25519, 3, parties, "other key");

  test.each<readonly [string, Parameters<typeof withOneChanged>[0]]>([
    ["messages", () => ({ message: otherMessage })],
    ["messages, one the beginning of the other", () => ({ message: message.slice(0, -1) })],
    ["epochs of the key", (key) => ({ key: { ...key, info: { ...key.info, epoch: 1 } } })],
    ["keys", () => ({ key: otherShares.get(other) ?? expect.fail() })],
    ["sessions", () => ({ session: testSessionId("another") })],
  ])(
    "%s, under one session id against the contract: it shows, and no signature share leaves",
    (_, change) => {
      const { outcomes, haveSharesLeft } = withOneChanged(change);
      expect(outcomes.map(({ kind }) => kind)).toEqual(["fault", "fault", "fault"]);
      expect(haveSharesLeft).toBe(false);
    },
  );

  it("INV-7 never meet when the session's id binds their request: nobody is blamed, nobody signs", () => {
    const bound = (signer: PartyIndex) => ({
      ...honestConfig(signer),
      session: testSessionId(signer === other ? "pay Eve everything" : "pay Bob one bitcoin"),
      message: signer === other ? otherMessage : message,
    });
    const { outcomes, sent } = runSessions<Uint8Array>({
      configs: new Map(
        signers.flatMap((signer) =>
          [...testConfigs(signers, bound(signer).session)].filter(([at]) => at === signer),
        ),
      ),
      start: ({ self: signer }) => startFrostSigning(bound(signer)),
      seed: "told",
    });
    for (const outcome of outcomes.values()) expect(outcome).toEqual({ kind: "running", round: 1 });
    expect(sent.filter(({ round }) => round === 2)).toEqual([]);
  });

  it("INV-7 a cheat that claims another message is named by all, before anybody signs", () => {
    const outcomes = run(
      edwards,
      committing(ED25519, ({ request }) => ({ request: request.map((byte) => byte ^ 1) })),
    );
    expect(honestOutcomes(outcomes)).toEqual([OTHER_REQUEST, OTHER_REQUEST]);
  });
});

describe("P21 commitments that are not the signer's own for this signature", () => {
  const sentIn = (session: string): Map<string, Uint8Array> => {
    const sent = new Map<string, Uint8Array>();
    run({ ...edwards, session }, ({ from, round, payload }) => {
      sent.set(`${round}/${from}`, payload);
      return payload;
    });
    return sent;
  };

  it("of another session: their sender is named, before anybody signs", () => {
    const old = sentIn("yesterday").get(`1/${cheat}`) ?? expect.fail();
    const outcomes = run(
      edwards,
      byCheat(1, () => old),
    );
    expect(honestOutcomes(outcomes)).toEqual([OTHER_REQUEST, OTHER_REQUEST]);
  });

  it("copied from an honest signer: the copying signer cannot answer, and is named", () => {
    const copied = sentIn("FROST").get(`1/${self}`) ?? expect.fail();
    const outcomes = run(
      edwards,
      byCheat(1, () => copied),
    );
    expect(honestOutcomes(outcomes)).toEqual([WRONG_SHARE, WRONG_SHARE]);
  });

  it("the negatives of an honest signer's: their sender cannot answer, and is named", () => {
    const copied = decode(commitmentMessageCodec(ED25519), sentIn("FROST").get(`1/${self}`) ?? expect.fail());
    if (!copied.ok) expect.fail(copied.reason);
    const negated = (bytes: Uint8Array): Uint8Array => ed25519.Point.fromBytes(bytes).negate().toBytes();
    const { hiding, binding } = copied.value;
    const outcomes = run(
      edwards,
      committing(ED25519, () => ({ hiding: negated(hiding), binding: negated(binding) })),
    );
    expect(honestOutcomes(outcomes)).toEqual([WRONG_SHARE, WRONG_SHARE]);
  });
});

describe("P21 P12 commitments in real sessions", () => {
  const session = testSessionId("FROST");
  const sessions = (wire: Parameters<typeof runSessions<Uint8Array>>[0]["wire"]) =>
    runSessions<Uint8Array>({
      configs: testConfigs(signers, session),
      start: (config) => startFrostSigning(frostConfig(edwards, config.self)),
      seed: "cheating",
      ...(wire === undefined ? {} : { wire }),
    });
  const isCommitment = ({ from, round, kind }: Envelope): boolean =>
    from === cheat && round === 1 && kind === ENVELOPE_KIND.broadcast;

  it("that differ from signer to signer convict their sender, before anybody signs", () => {
    const { outcomes, sent } = sessions(({ to, envelope }) => {
      if (!isCommitment(envelope) || to !== other) return [{ to, envelope }];
      const { payload, signature: _, ...header } = envelope;
      const swapped = Uint8Array.from([
        ...payload.slice(0, 32),
        ...payload.slice(64),
        ...payload.slice(32, 64),
      ]);
      return [{ to, envelope: signEnvelope(header, swapped, insecurePartySecrets(cheat).identity) }];
    });
    for (const outcome of honestOutcomes(outcomes)) {
      if (outcome?.kind !== "fault") expect.fail(outcome?.kind ?? "nothing");
      expect(outcome.fault.culprit).toBe(cheat);
      const identity = ed25519.getPublicKey(insecurePartySecrets(cheat).identity);
      const [first = expect.fail(), second = expect.fail()] = outcome.fault.messages;
      expect(provesEquivocation(first, second, identity)).toBe(true);
    }
    expect(sent.filter(({ from, round }) => round === 2 && from !== cheat)).toEqual([]);
  });

  it("of another session do not arrive at all", () => {
    const header = { session: testSessionId("another"), round: 1, kind: 1, from: cheat, to: 0 };
    const { outcomes } = sessions(({ to, envelope }) =>
      isCommitment(envelope)
        ? [
            {
              to,
              envelope: signEnvelope(header, envelope.payload, insecurePartySecrets(cheat).identity),
            },
          ]
        : [{ to, envelope }],
    );
    for (const outcome of honestOutcomes(outcomes)) expect(outcome).toEqual({ kind: "running", round: 1 });
  });

  it("arrive in any order, twice, and the signature is the same for all", () => {
    const { outcomes } = runSessions<Uint8Array>({
      configs: testConfigs(signers, session),
      start: (config) => startFrostSigning(frostConfig(edwards, config.self)),
      seed: "reversed",
      wire: (transit) => [transit, transit],
      pick: (count) => count - 1,
    });
    expect(new Set([...outputsOf(outcomes).values()].map((bytes) => bytes.join()))).toHaveLength(1);
  });
});

describe("P19 a sum that is no signature", () => {
  it("never leaves, and blames nobody whose share is right", () => {
    const shares = new Map(
      [...edwards.shares].map(([party, key]) => [
        party,
        { ...key, info: { ...key.info, publicKey: key.info.publicKey.add(ED25519.generator) } },
      ]),
    );
    const abort = { kind: "abort", check: "frost/2 signature under the public key" };
    expect(honestOutcomes(run({ ...edwards, shares }))).toEqual([abort, abort]);
  });
});

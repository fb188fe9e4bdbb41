import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Codec, decode, encode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { GENERATOR, multiplyBase, scalar, sumPoints } from "../group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { paillierPublicKey } from "../paillier.ts";
import type { Round, Step } from "../session/round.ts";
import { insecureOwnAuxiliary, testParty } from "../testing/insecure-auxiliary.ts";
import {
  advanceWith,
  type PresignStages,
  presignStages,
  type Slot,
  type Substitute,
} from "../testing/presign-stages.ts";
import { presignConfig, type TestPresigning } from "../testing/presigning.ts";
import { openDispute } from "./dispute.ts";
import { type Disputed, findCulprit } from "./judgement.ts";
import {
  type Conversions,
  conversionsCodec,
  type DisputeOpening,
  disputeOpeningCodec,
  olderOpeningCodec,
  type Product,
  payloadBytesMax,
  type Reveal,
  revealCodec,
} from "./messages.ts";
import type { Presignature } from "./presignature.ts";
import { presignRun } from "./run.ts";

const reveals: Slot<Reveal> = { round: 3, kind: "broadcast", codec: revealCodec };
const PRODUCTS = ["nonce", "key"] as const;

type Change<T> = (message: T) => T;

const wrongDelta: Change<Reveal> = (reveal) => ({ ...reveal, delta: scalar(reveal.delta + 1n) });
const wrongS: Change<Reveal> = (reveal) => ({ ...reveal, S: reveal.S.add(GENERATOR) });
/** A lie that makes the joint check of each product fail. */
const lieAbout = { nonce: wrongDelta, key: wrongS } as const;

const mustDecode = <T>(codec: Codec<T>, payload: Uint8Array): T => {
  const decoded = decode(codec, payload);
  return decoded.ok ? decoded.value : expect.fail(decoded.reason);
};

interface Disputing {
  readonly round: Round<Presignature>;
  /** the party's own opening */
  readonly opening: DisputeOpening;
}

/** An honest presigning up to round 3, and all its continuations into a dispute. */
class Quorum {
  readonly stages: PresignStages;
  readonly signers: readonly PartyIndex[];
  readonly config: TestPresigning;
  readonly codec: Codec<DisputeOpening>;
  readonly #disputes = new Map<Change<Reveal>, Map<string, Disputing>>();

  constructor(config: TestPresigning) {
    this.config = config;
    this.signers = config.signers;
    this.stages = presignStages(config);
    this.codec = disputeOpeningCodec(parameters, this.signers.length - 1);
  }

  others(party: PartyIndex): readonly PartyIndex[] {
    return this.signers.filter((signer) => signer !== party);
  }

  heardFrom<T>(slot: Slot<T>, from: PartyIndex): T {
    return this.stages.said(slot, from, this.others(from)[0] ?? expect.fail());
  }

  reveal(from: PartyIndex): Reveal {
    return this.heardFrom(reveals, from);
  }

  /** One party's round 4, after it received a reveal that makes it dispute. */
  disputing(party: PartyIndex, from: PartyIndex, lie: Change<Reveal>): Disputing {
    const known = this.#disputes.get(lie)?.get(`${party}/${from}`);
    if (known !== undefined) return known;
    const step = this.stages.against(party, reveals, from, lie);
    if (step.kind !== "next") return expect.fail(`no dispute but ${step.kind}`);
    const [message = expect.fail()] = step.messages;
    const made = { round: step.round, opening: mustDecode(this.codec, message.payload) };
    const ofLie = this.#disputes.get(lie) ?? new Map<string, Disputing>();
    this.#disputes.set(lie, ofLie.set(`${party}/${from}`, made));
    return made;
  }

  /** The opening of a party, which does not depend on who lied. */
  openingOf(party: PartyIndex, product: Product): DisputeOpening {
    return this.disputing(party, this.others(party)[0] ?? expect.fail(), lieAbout[product]).opening;
  }

  /** The next step of every honest signer when a cheat lies in its reveal and its opening. */
  verdicts(
    cheat: PartyIndex,
    product: Product,
    lie: Change<Reveal>,
    open: Change<DisputeOpening> = (opening) => opening,
  ): readonly Step<Presignature>[] {
    const said = open(this.openingOf(cheat, product));
    const honest = this.others(cheat);
    const disputes = new Map(honest.map((party) => [party, this.disputing(party, cheat, lie)]));
    const openings: readonly (readonly [PartyIndex, DisputeOpening])[] = [
      [cheat, said],
      ...[...disputes].map(([party, { opening }]) => [party, opening] as const),
    ];
    return [...disputes].map(([self, { round }]) => judge(round, this.codec, self, openings));
  }
}

const judge = (
  round: Round<Presignature>,
  codec: Codec<DisputeOpening>,
  self: PartyIndex,
  openings: readonly (readonly [PartyIndex, DisputeOpening])[],
): Step<Presignature> => {
  const heard = openings
    .filter(([from]) => from !== self)
    .map(([from, opening]): Substitute => ({ from, kind: "broadcast", payload: encode(codec, opening) }));
  const silent = (): never => expect.fail("a message that nobody sent");
  return advanceWith({ round, inbox: { broadcast: silent, direct: silent } }, heard);
};

const [one, two, three] = [1, 2, 3].map(testParty);
if (one === undefined || two === undefined || three === undefined) throw new Error("there are three");
const pair = new Quorum({ t: 2, n: 3, signers: [one, two] });
const trio = new Quorum({ t: 3, n: 5, signers: [one, two, three] });
const quorums = [
  ["two", pair],
  ["three", trio],
] as const;

const cheat = two;
const allName = (quorum: Quorum, check: string): readonly object[] =>
  quorum.others(cheat).map(() => ({ kind: "fault", accusation: { culprit: cheat, check } }));

describe.each(quorums)("INV-7 P15 a cheat among %s signers is named by every honest one", (_, quorum) => {
  test("when δ_j is wrong", () => {
    expect(quorum.verdicts(cheat, "nonce", wrongDelta)).toMatchObject(allName(quorum, "presign/4 δ"));
  });

  test("when S_j is wrong", () => {
    expect(quorum.verdicts(cheat, "key", wrongS)).toMatchObject(allName(quorum, "presign/4 S"));
  });

  test("when S_j is consistent with nothing", () => {
    const stray: Change<Reveal> = (reveal) => ({ ...reveal, S: multiplyBase(7n) });
    expect(quorum.verdicts(cheat, "key", stray)).toMatchObject(allName(quorum, "presign/4 S"));
  });

  test("when both are wrong: the nonce is judged first", () => {
    const both: Change<Reveal> = (reveal) => wrongS(wrongDelta(reveal));
    expect(quorum.verdicts(cheat, "nonce", both)).toMatchObject(allName(quorum, "presign/4 δ"));
  });

  test("P9 when it waits for the others and makes δ zero", () => {
    const rest = quorum.others(cheat).reduce((sum, party) => sum + quorum.reveal(party).delta, 0n);
    const cancelling: Change<Reveal> = (reveal) => ({ ...reveal, delta: scalar(-rest) });
    expect(quorum.verdicts(cheat, "nonce", cancelling)).toMatchObject(allName(quorum, "presign/4 δ"));
  });

  test("when S_j cancels out all others", () => {
    const rest = sumPoints(quorum.others(cheat).map((party) => quorum.reveal(party).S));
    const cancelling: Change<Reveal> = (reveal) => ({ ...reveal, S: rest.negate() });
    expect(quorum.verdicts(cheat, "key", cancelling)).toMatchObject(allName(quorum, "presign/4 S"));
  });

  test.each(PRODUCTS)("when its part of the %s fits a plaintext that it did not get", (product) => {
    const { Gamma } = presignedWith(quorum);
    const lies = {
      nonce: wrongDelta,
      key: (reveal: Reveal): Reveal => ({ ...reveal, S: reveal.S.add(Gamma) }),
    };
    const shifted = withFirst(({ alpha, root }) => ({ alpha: alpha + 1n, root }));
    const name = product === "nonce" ? "D" : "D^";
    const verdicts = quorum.verdicts(cheat, product, lies[product], shifted);
    expect(verdicts).toMatchObject(allName(quorum, `presign/4 opening of ${name}`));
  });
});

/** The presignature that an honest signer would have got. */
const presignedWith = ({ stages, signers }: Quorum): Presignature => {
  const [party = expect.fail()] = signers;
  const step = stages.hearing(party, 3, []);
  return step.kind === "output" ? step.output : expect.fail(step.kind);
};

const withFirst =
  (change: Change<DisputeOpening["plaintexts"][number]>): Change<DisputeOpening> =>
  (opening) => ({
    ...opening,
    plaintexts: opening.plaintexts.map((plaintext, at) => (at === 0 ? change(plaintext) : plaintext)),
  });

const withOffset =
  (change: Change<DisputeOpening["offsets"][number]>): Change<DisputeOpening> =>
  (opening) => ({
    ...opening,
    offsets: opening.offsets.map((offset, at) => (at === 0 ? change(offset) : offset)),
  });

describe.each(PRODUCTS)("INV-7 a cheat in the %s that lies again in its opening is named", (product) => {
  const { n, factors } = {
    ...insecureOwnAuxiliary(cheat).paillier.publicKey,
    ...insecureOwnAuxiliary(cheat).paillier,
  };
  const ofD = `opening of ${product === "nonce" ? "D" : "D^"}`;
  const another: Product = product === "nonce" ? "key" : "nonce";

  test.each<[string, string, Change<DisputeOpening>]>([
    ["another k", "opening of k", (opening) => ({ ...opening, k: scalar(opening.k + 1n) })],
    ["no k", "opening of k", (opening) => ({ ...opening, k: 0n })],
    ["another γ", "opening of γ", (opening) => ({ ...opening, gamma: scalar(opening.gamma + 1n) })],
    ["no γ", "opening of γ", (opening) => ({ ...opening, gamma: 0n })],
    ["γ and k exchanged", "opening of γ", ({ k, gamma, ...rest }) => ({ k: gamma, gamma: k, ...rest })],
    ["another plaintext", ofD, withFirst(({ alpha, root }) => ({ alpha: alpha - 1n, root }))],
    [
      "the plaintext's other representative mod N",
      ofD,
      withFirst(({ alpha, root }) => ({ alpha: alpha > 0n ? alpha - n : alpha + n, root })),
    ],
    ["another root", ofD, withFirst(({ alpha, root }) => ({ alpha, root: root + 1n }))],
    ["the negated root", ofD, withFirst(({ alpha, root }) => ({ alpha, root: n - root }))],
    ["no root", ofD, withFirst(({ alpha }) => ({ alpha, root: 0n }))],
    ["a root that is no unit", ofD, withFirst(({ alpha }) => ({ alpha, root: factors.p }))],
    ["a root out of its range", ofD, withFirst(({ alpha }) => ({ alpha, root: (1n << 1280n) - 1n }))],
    [
      "the plaintexts of its peers exchanged",
      ofD,
      (opening) => ({ ...opening, plaintexts: opening.plaintexts.toReversed() }),
    ],
    [
      "the ciphertexts of the other product",
      ofD,
      (opening) => ({ ...opening, plaintexts: trio.openingOf(cheat, another).plaintexts }),
    ],
    ["another offset", "opening of F", withOffset(({ alpha, root }) => ({ alpha: alpha + 1n, root }))],
    [
      "another root of an offset",
      "opening of F",
      withOffset(({ alpha, root }) => ({ alpha, root: root + 1n })),
    ],
    [
      "an offset's other representative mod N",
      "opening of F",
      withOffset(({ alpha, root }) => ({ alpha: alpha > 0n ? alpha - n : alpha + n, root })),
    ],
    [
      "the offsets of its peers exchanged",
      "opening of F",
      (opening) => ({ ...opening, offsets: opening.offsets.toReversed() }),
    ],
    ["the opening of another", "opening of γ", () => trio.openingOf(three, product)],
  ])("with %s", (_, check, change) => {
    const verdicts = trio.verdicts(cheat, product, lieAbout[product], change);
    expect(verdicts).toMatchObject(allName(trio, `presign/4 ${check}`));
  });
});

describe("INV-7 a cheat that opens nothing", () => {
  const heardBy = (quorum: Quorum, party: PartyIndex, from: readonly PartyIndex[], product: Product) =>
    new Map(
      from
        .filter((other) => other !== party)
        .map((other) => [other, encode(quorum.codec, quorum.openingOf(other, product))] as const),
    );

  test.each(quorums)("is named for its δ among %s as soon as all others have opened", (_, quorum) => {
    const honest = quorum.others(cheat);
    const verdicts = honest.map((party) => {
      const { round } = quorum.disputing(party, cheat, wrongDelta);
      return round.early?.(heardBy(quorum, party, honest, "nonce"));
    });
    expect(verdicts).toMatchObject(allName(quorum, "presign/4 δ"));
  });

  it("is not named before, nor for its S, and nobody else is", () => {
    const { round } = trio.disputing(one, cheat, wrongDelta);
    expect(round.early?.(new Map())).toBe(undefined);
    expect(round.early?.(heardBy(trio, one, [cheat], "nonce"))).toBe(undefined);
    const ofKey = trio.disputing(one, cheat, wrongS).round;
    expect(ofKey.early?.(heardBy(trio, one, [three], "key"))).toBe(undefined);
  });

  it("is not named by a peer's false opening, whose signer is named at once", () => {
    const lying = { ...trio.openingOf(three, "nonce"), k: 1n };
    const { round } = trio.disputing(one, cheat, wrongDelta);
    expect(round.early?.(new Map([[three, encode(trio.codec, lying)]]))).toMatchObject({
      accusation: { culprit: three, check: "presign/4 opening of k" },
    });
  });
});

describe("INV-7 an honest signer of the version before, which opens without offsets", () => {
  const { round } = trio.disputing(one, cheat, wrongDelta);
  const older = encode(olderOpeningCodec(parameters, 2), { ...trio.openingOf(three, "nonce"), offsets: [] });

  it("is accused of nothing, and nobody is while the cheat opens nothing", () => {
    expect(round.early?.(new Map([[three, older]]))).toBe(undefined);
  });

  it("still lets the cheat be named, once the cheat opens", () => {
    const opened = encode(trio.codec, trio.openingOf(cheat, "nonce"));
    const heard = [
      [three, older],
      [cheat, opened],
    ] as const;
    expect(round.early?.(new Map(heard))).toMatchObject({
      accusation: { culprit: cheat, check: "presign/4 δ" },
    });
  });
});

describe("INV-7 an opening", () => {
  const { round } = trio.disputing(one, cheat, wrongDelta);
  const payloads = new Map(
    [two, three].map((party) => [party, encode(trio.codec, trio.openingOf(party, "nonce"))]),
  );
  const silent = (): never => expect.fail("a message that nobody sent");
  const inbox = { broadcast: (from: PartyIndex) => payloads.get(from) ?? silent(), direct: silent };
  const opening = inbox.broadcast(cheat);

  test.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array(0)],
    ["one byte less", opening.slice(0, -1)],
    ["one byte more", Uint8Array.from([...opening, 0])],
    ["all ones", opening.map(() => 0xff)],
  ])("of %s names its sender", (_, payload) => {
    const check: unknown = expect.stringMatching(/^presign\/4 decoding: /);
    const outcome = advanceWith({ round, inbox }, [{ from: cheat, kind: "broadcast", payload }]);
    expect(outcome).toMatchObject({ kind: "fault", accusation: { culprit: cheat, check } });
  });

  it("P13 is bounded by what it holds", () => {
    const { payloadBytesMax: most } = round.expects;
    expect(most).toBe(payloadBytesMax(parameters, 2).round4);
    expect(opening.length).toBeLessThanOrEqual(most);
    expect(opening.length).toBeGreaterThan(most / 2);
  });

  it("of two cheats at once names one of them", () => {
    const lying = { ...trio.openingOf(three, "nonce"), k: 1n };
    const outcome = advanceWith({ round, inbox }, [
      { from: three, kind: "broadcast", payload: encode(trio.codec, lying) },
    ]);
    expect(outcome).toMatchObject({
      kind: "fault",
      accusation: { culprit: three, check: "presign/4 opening of k" },
    });
  });
});

/** The public values of an honest presigning, as a third party gets them. */
const publicOf = (
  quorum: Quorum,
  product: Product,
): { disputed: Disputed; openings: Map<PartyIndex, DisputeOpening> } => {
  const codec = conversionsCodec(parameters, quorum.signers.length - 1);
  const slot: Slot<Conversions> = { round: 2, kind: "broadcast", codec };
  const conversions = new Map(quorum.signers.map((party) => [party, quorum.heardFrom(slot, party)]));
  const members = quorum.signers.map((index) => {
    const { own, publicShare } = presignRun(presignConfig(quorum.config, index));
    return { index, paillier: paillierPublicKey(own.paillier.publicKey.n), publicShare };
  });
  return {
    disputed: {
      product,
      members,
      conversions,
      reveals: new Map(quorum.signers.map((party) => [party, quorum.reveal(party)])),
      Gamma: sumPoints([...conversions.values()].map(({ Gamma }) => Gamma)),
    },
    openings: new Map(quorum.signers.map((party) => [party, quorum.openingOf(party, product)])),
  };
};

describe.each(quorums)("the judgement over %s signers", (_, quorum) => {
  it.each(PRODUCTS)("INV-7 passes everybody's honest %s", (product) => {
    const { disputed, openings } = publicOf(quorum, product);
    expect(findCulprit(disputed, openings, quorum.signers)).toBe(undefined);
  });

  it.each(PRODUCTS)("INV-7 names the signer whose part of the %s is off, by any difference", (product) => {
    const { disputed, openings } = publicOf(quorum, product);
    const amount = fc.bigInt({ min: 1n, max: 1n << 255n });
    fc.assert(
      fc.property(fc.constantFrom(...quorum.signers), amount, (culprit, off) => {
        const lying = new Map(disputed.reveals);
        const reveal = lying.get(culprit) ?? expect.fail();
        const { delta, S } = reveal;
        lying.set(culprit, { ...reveal, delta: scalar(delta + off), S: S.add(multiplyBase(off)) });
        const check = product === "nonce" ? "presign/4 δ" : "presign/4 S";
        const accusation = findCulprit({ ...disputed, reveals: lying }, openings, quorum.signers);
        expect(accusation).toEqual({ culprit, check });
        const others = quorum.signers.filter((signer) => signer !== culprit);
        expect(findCulprit({ ...disputed, reveals: lying }, openings, others)).toBe(undefined);
      }),
      { numRuns: 4 },
    );
  });
});

describe("openings that an older version signed", () => {
  const { disputed, openings } = publicOf(trio, "nonce");
  const older = new Map(
    [...openings].map(([party, opening]) => [party, { ...opening, offsets: [] }] as const),
  );
  const reveals = new Map(disputed.reveals).set(cheat, wrongDelta(trio.reveal(cheat)));

  it("INV-7 name the cheat and nobody else, when all have opened", () => {
    const found = findCulprit({ ...disputed, reveals }, older, trio.signers);
    expect(found).toEqual({ culprit: cheat, check: "presign/4 δ" });
    expect(findCulprit(disputed, older, trio.signers)).toBe(undefined);
  });

  it("INV-7 name nobody who has not opened", () => {
    const some = new Map([...older].filter(([party]) => party !== cheat));
    expect(findCulprit({ ...disputed, reveals }, some, trio.signers)).toBe(undefined);
  });
});

describe("INV-7 two cheats", () => {
  it("cannot have an honest receiver named with a ciphertext that one of them made for the other", () => {
    const { disputed, openings } = publicOf(trio, "nonce");
    const made = disputed.conversions.get(two) ?? expect.fail();
    const pairs = made.pairs.map((one, at) => (at === 1 ? { ...one, nonce: { ...one.nonce, D: 0n } } : one));
    const conversions = new Map(disputed.conversions).set(two, { ...made, pairs });
    expect(findCulprit({ ...disputed, conversions }, openings, trio.signers)).toEqual({
      culprit: three,
      check: "presign/4 opening of D",
    });
  });
});

describe("a dispute without a cheat", () => {
  it("names nobody: only our own arithmetic can have failed", () => {
    const { disputed } = publicOf(pair, "nonce");
    const run = presignRun(presignConfig(pair.config, one));
    const step = openDispute(run, pair.openingOf(one, "nonce"), disputed);
    const { round } = step.kind === "next" ? step : expect.fail(step.kind);
    expect(judge(round, pair.codec, one, [[cheat, pair.openingOf(cheat, "nonce")]])).toMatchObject({
      kind: "abort",
      check: "presign/4 all peers' openings stand",
    });
  });
});

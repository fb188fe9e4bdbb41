import { describe, expect, it } from "vitest";
import { multiplyGenerator } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { CGGMP24, FROST_TAPROOT } from "../scheme.ts";
import { evaluate, type Polynomial } from "../sharing/polynomial.ts";
import { importConfig, runImport, type TestImport } from "../testing/importing.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import {
  type ClientPlaintext,
  insecurePlaintexts,
  insecurePolynomial,
  pointHex,
  scalarHex,
  sealForSigners,
  testImportSigners,
} from "../testing/insecure-import-client.ts";
import { runLockstep } from "../testing/lockstep.ts";
import { assignPositions } from "./assignment.ts";
import { startImport } from "./import.ts";
import type { AgreedField, EntryField, EntryFlawCode, ImportRefusal } from "./refusal.ts";

const { curve } = CGGMP24;
const threshold = 3;
const parties = testParties(5);
const [a, b] = [testParty(1), testParty(2)];
const positions = assignPositions(testImportSigners(parties));
const positionOf = (party: PartyIndex): number => positions.get(party) ?? expect.fail();
const polynomial = insecurePolynomial(CGGMP24, threshold);

type Plaintexts = ReadonlyMap<PartyIndex, ClientPlaintext>;
type Envelopes = TestImport<never>["envelopes"];

const good: Plaintexts = insecurePlaintexts(CGGMP24, parties, polynomial);
const sealed = sealForSigners(good);

/** The entries with one changed. */
const at = <T>(entries: ReadonlyMap<PartyIndex, T>, party: PartyIndex, change: (entry: T) => T) =>
  new Map([...entries].map(([each, entry]) => [each, each === party ? change(entry) : entry]));
/** The plaintexts, all changed in the same way. */
const everywhere = (change: (plaintext: ClientPlaintext) => ClientPlaintext): Plaintexts =>
  new Map([...good].map(([party, plaintext]) => [party, change(plaintext)]));

const scalarAt = (coefficients: Polynomial, position: number) => ({
  curve: curve.name,
  scalar: scalarHex(evaluate(curve, coefficients, position)),
});
const zeroAt = (position: number): Polynomial => {
  const [, first = 0n, second = 0n] = polynomial;
  const rest = first * BigInt(position) + second * BigInt(position * position);
  return [curve.order - (rest % curve.order), first, second];
};

const entry = (signer: PartyIndex, code: EntryFlawCode, field: EntryField): ImportRefusal => ({
  kind: "entry",
  signer,
  flaw: { code, field },
});
const byAll = (code: EntryFlawCode, field: EntryField) => parties.map((party) => entry(party, code, field));

/** The refusals of an import, which must be equal at all signers. */
const refusalsOf = (envelopes: Envelopes): readonly ImportRefusal[] => {
  const outcomes = [...runImport({ scheme: CGGMP24, threshold, envelopes }).values()];
  const [first] = outcomes;
  expect(outcomes).toEqual(parties.map(() => first));
  if (first?.kind !== "output" || first.output.kind !== "refused") return expect.fail(first?.kind);
  return first.output.refusals;
};

describe("P23 an import that does not hold together is refused by every signer alike, and leaves no share", () => {
  const size = sealed.get(b)?.length ?? 0;
  it.each([
    ["its ciphertext", 0],
    ["its tag", size - 40],
    ["its ephemeral key", size - 1],
    ["the form of its ephemeral key", size - 33],
  ])("one byte of an envelope is corrupted, in %s", (_, position) => {
    const flip = (envelope: Uint8Array) => envelope.map((byte, i) => (i === position ? byte ^ 4 : byte));
    const refusals = [entry(b, "EnvelopeUnreadable", "encryptedKeyShare")];
    expect(refusalsOf(at(sealed, b, flip))).toEqual(refusals);
  });

  it("an envelope is empty, or longer than any share", () => {
    for (const length of [0, 20_000]) {
      const refusals = [entry(b, "EnvelopeUnreadable", "encryptedKeyShare")];
      expect(refusalsOf(at(sealed, b, () => new Uint8Array(length)))).toEqual(refusals);
    }
  });

  it("the envelopes of two signers are swapped", () => {
    const swapped = new Map(sealed);
    swapped.set(a, sealed.get(b) ?? expect.fail());
    swapped.set(b, sealed.get(a) ?? expect.fail());
    const refusals = [a, b].map((party) => entry(party, "EnvelopeUnreadable", "encryptedKeyShare"));
    expect(refusalsOf(swapped)).toEqual(refusals);
  });

  it("the shares of two signers are swapped, as by a client that gives position i to party i", () => {
    expect([positionOf(a), positionOf(b)]).toEqual([2, 1]);
    const swapped = new Map(good);
    swapped.set(a, good.get(b) ?? expect.fail());
    swapped.set(b, good.get(a) ?? expect.fail());
    const refusals = [a, b].map((party) => entry(party, "ShareMismatch", "secret_share"));
    expect(refusalsOf(sealForSigners(swapped))).toEqual(refusals);
  });

  it("one share does not belong to its public share", () => {
    const other = scalarAt(polynomial, 9);
    const refusals = [entry(b, "ShareMismatch", "secret_share")];
    expect(refusalsOf(sealForSigners(at(good, b, (each) => ({ ...each, secret_share: other }))))).toEqual(
      refusals,
    );
  });

  it("one public share is off the polynomial, for everybody", () => {
    const off = { curve: curve.name, point: pointHex(CGGMP24, multiplyGenerator(curve, 5n)) };
    const lie = (each: ClientPlaintext): ClientPlaintext => ({
      ...each,
      public_shares: each.public_shares.map((share, i) => (i + 1 === positionOf(b) ? off : share)),
    });
    const expected = byAll("DegreeTooHigh", "public_shares");
    const refusals = at(new Map(expected.map((each, i) => [testParty(i + 1), each])), b, () =>
      entry(b, "ShareMismatch", "secret_share"),
    );
    expect(refusalsOf(sealForSigners(everywhere(lie)))).toEqual([...refusals.values()]);
  });

  it("the polynomial needs four signers where three must do", () => {
    const steep = insecurePlaintexts(CGGMP24, parties, insecurePolynomial(CGGMP24, 4));
    expect(refusalsOf(sealForSigners(steep))).toEqual(byAll("DegreeTooHigh", "public_shares"));
  });

  it("the key is zero", () => {
    const zero = insecurePlaintexts(CGGMP24, parties, [0n, ...polynomial.slice(1)]);
    expect(refusalsOf(sealForSigners(zero))).toEqual(byAll("KeyIsIdentity", "public_shares"));
  });

  it("one share is zero, whose public share has no encoding", () => {
    const shares = zeroAt(positionOf(b));
    const plaintexts = new Map(
      parties.map((party) => [
        party,
        {
          ...(good.get(party) ?? expect.fail()),
          secret_share: scalarAt(shares, positionOf(party)),
          public_shares: parties.map((_, i) =>
            i + 1 === positionOf(b)
              ? { curve: curve.name, point: "00" }
              : {
                  curve: curve.name,
                  point: pointHex(CGGMP24, multiplyGenerator(curve, evaluate(curve, shares, i + 1))),
                },
          ),
        },
      ]),
    );
    const refusals = parties.map((party) =>
      entry(party, "Malformed", party === b ? "secret_share" : "public_shares"),
    );
    expect(refusalsOf(sealForSigners(plaintexts))).toEqual(refusals);
  });

  it.each<[string, (plaintext: ClientPlaintext) => unknown, EntryFlawCode, EntryField]>([
    ["of another version", (each) => ({ ...each, version: 2 }), "VersionUnsupported", "version"],
    [
      "of another curve",
      (each) => ({ ...each, secret_share: { curve: "ed25519", scalar: "01".repeat(32) } }),
      "CurveMismatch",
      "secret_share",
    ],
    [
      "for a cluster of four",
      (each) => ({ ...each, public_shares: each.public_shares.slice(0, 4) }),
      "CountMismatch",
      "public_shares",
    ],
    [
      "for a cluster of six",
      (each) => ({ ...each, public_shares: [...each.public_shares, ...each.public_shares.slice(0, 1)] }),
      "CountMismatch",
      "public_shares",
    ],
    ["with a broken chain code", (each) => ({ ...each, chain_code: "x" }), "Malformed", "chain_code"],
    ["of no known form", () => "share", "Malformed", "encryptedKeyShare"],
  ])("one share is %s", (_, change, code, field) => {
    const plaintexts = at<unknown>(good, b, () => change(good.get(b) ?? expect.fail()));
    expect(refusalsOf(sealForSigners(plaintexts))).toEqual([entry(b, code, field)]);
  });

  const differing = (field: AgreedField, ...views: readonly (readonly number[])[]) => [
    {
      kind: "difference",
      field,
      views: views.map((signers) => ({ signers, digest: expect.any(Uint8Array) })),
    },
  ];

  it("two signers were given other public shares, each good in itself", () => {
    const other = insecurePlaintexts(CGGMP24, parties, insecurePolynomial(CGGMP24, threshold, "other"));
    const mixed = new Map([...good].map(([party, each]) => [party, party > 3 ? other.get(party) : each]));
    expect(refusalsOf(sealForSigners(mixed))).toEqual(differing("public_shares", [1, 2, 3], [4, 5]));
  });

  it("three signers were given three chain codes, one of them none", () => {
    const codes = new Map<number, Uint8Array>([
      [2, new Uint8Array(32)],
      [4, new Uint8Array(32).fill(1)],
    ]);
    const mixed = new Map(
      parties.map((party) => {
        const plaintexts = insecurePlaintexts(CGGMP24, parties, polynomial, codes.get(party) ?? null);
        return [party, plaintexts.get(party)];
      }),
    );
    expect(refusalsOf(sealForSigners(mixed))).toEqual(differing("chain_code", [1, 3, 5], [2], [4]));
  });

  it("a flaw of one entry and a difference between others are both reported", () => {
    const other = insecurePlaintexts(CGGMP24, parties, insecurePolynomial(CGGMP24, threshold, "other"));
    const mixed = at(new Map<PartyIndex, unknown>(good), a, () => other.get(a));
    const refusals = refusalsOf(sealForSigners(at(mixed, b, () => null)));
    expect(refusals).toEqual([
      entry(b, "Malformed", "encryptedKeyShare"),
      ...differing("public_shares", [1], [3, 4, 5]),
    ]);
  });

  it.each([
    ["scheme", { scheme: FROST_TAPROOT }],
    ["key id", { keyId: "other" }],
    ["epoch", { epoch: 2 }],
    ["threshold", { threshold: 4 }],
    [
      "position of others",
      {
        assignment: new Map(positions)
          .set(testParty(3), positionOf(testParty(4)))
          .set(testParty(4), positionOf(testParty(3))),
      },
    ],
  ])("P11 one signer has another %s", (_, change) => {
    const config = { scheme: CGGMP24, threshold, envelopes: sealed };
    const starts = new Map(
      parties.map((self) => [
        self,
        startImport({ ...importConfig(config, self), ...(self === a ? change : {}) }),
      ]),
    );
    for (const outcome of runLockstep({ starts }).values()) {
      const refusals = differing("terms", [1], [2, 3, 4, 5]);
      expect(outcome).toEqual({ kind: "output", output: { kind: "refused", refusals } });
    }
  });
});

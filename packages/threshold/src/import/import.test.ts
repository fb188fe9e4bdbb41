import { ed25519 } from "@noble/curves/ed25519.js";
import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToHex } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { decode, encode } from "../codec.ts";
import { type GroupPoint, multiplyGenerator, scalarOf } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { type KeyShare, keyShareCodec } from "../keygen/key-share.ts";
import { publicKeyOf } from "../public-key.ts";
import { CGGMP24, FROST_BIP340, FROST_ED25519, FROST_TAPROOT, type Scheme } from "../scheme.ts";
import { lagrangeAtZero } from "../sharing/lagrange.ts";
import { evaluate } from "../sharing/polynomial.ts";
import { frostStarts } from "../testing/frost-starts.ts";
import { importConfig, runImport } from "../testing/importing.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import {
  insecurePlaintexts,
  insecurePolynomial,
  scalarHex,
  sealForSigners,
  testImportSigners,
} from "../testing/insecure-import-client.ts";
import { type Passing, runLockstep } from "../testing/lockstep.ts";
import { outputsOf } from "../testing/presigning.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { runSessions, testConfigs, testSessionId } from "../testing/session-network.ts";
import { assignPositions } from "./assignment.ts";
import { startImport } from "./import.ts";
import type { ImportOutcome } from "./run.ts";

const chainCode = new Uint8Array(32).fill(7);

const envelopesOf = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  threshold: number,
  parties: readonly PartyIndex[],
  code: Uint8Array | null = chainCode,
): ReadonlyMap<PartyIndex, Uint8Array> => {
  const polynomial = insecurePolynomial(scheme, threshold);
  return sealForSigners(insecurePlaintexts(scheme, parties, polynomial, code));
};

const sharesOf = <P extends GroupPoint<P>>(
  outcomes: Parameters<typeof outputsOf<ImportOutcome<P>>>[0],
): readonly KeyShare<P>[] =>
  [...outputsOf<ImportOutcome<P>>(outcomes).values()].map((outcome) =>
    outcome.kind === "imported" ? outcome.share : expect.fail(JSON.stringify(outcome.refusals)),
  );

/** Interpolates values to zero, which reveals the key: only for tests. */
const atZero = <P extends GroupPoint<P>>(
  { curve }: Scheme<P>,
  values: readonly { readonly at: number; readonly value: bigint }[],
): bigint => {
  const indices = values.map(({ at }) => at);
  const lambda = lagrangeAtZero(curve, indices);
  return scalarOf(
    curve,
    values.reduce((sum, { value }, i) => sum + (lambda[i] ?? 0n) * value, 0n),
  );
};

type Verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;

/** An import of a key that a client dealt: the client's values, and the resulting shares. */
const importedKey = <P extends GroupPoint<P>>(scheme: Scheme<P>, threshold: number, count: number) => {
  const parties = testParties(count);
  const polynomial = insecurePolynomial(scheme, threshold);
  const [key = expect.fail()] = polynomial;
  const config = { scheme, threshold, envelopes: envelopesOf(scheme, threshold, parties) };
  const { outcomes } = runSessions<ImportOutcome<P>>({
    configs: testConfigs(parties, testSessionId("import")),
    start: ({ self }) => startImport(importConfig(config, self)),
    seed: "import",
  });
  const shares = sharesOf(outcomes);
  const fresh = shares.map(({ self, secretShare }) => ({ at: self, value: secretShare.reveal() }));
  const positions = assignPositions(testImportSigners(parties));
  const old = parties.map((party) => {
    const at = positions.get(party) ?? expect.fail();
    return { party, at, value: evaluate(scheme.curve, polynomial, at) };
  });
  return { scheme, threshold, parties, config, key, old, shares, fresh };
};

type ImportedKey<P extends GroupPoint<P>> = ReturnType<typeof importedKey<P>>;

const checkShares = <P extends GroupPoint<P>>(imported: ImportedKey<P>): void => {
  const { scheme, threshold, parties, key, shares, fresh } = imported;

  it("gives everybody a share of the client's key, at its own index in the cluster", () => {
    for (const [position, { self, info, secretShare }] of shares.entries()) {
      expect(self).toBe(parties[position]);
      expect(info).toMatchObject({ keyId: "imported", threshold, parties, epoch: 1, chainCode });
      expect(info.publicKey.equals(multiplyGenerator(scheme.curve, key))).toBe(true);
      const point = multiplyGenerator(scheme.curve, secretShare.reveal());
      expect(info.publicShares.get(self)?.equals(point)).toBe(true);
    }
    expect(atZero(scheme, fresh.slice(-threshold))).toBe(key);
    expect(atZero(scheme, fresh.slice(0, threshold))).toBe(key);
  });

  it("ends in shares that store and load like those of a generated key", () => {
    for (const share of shares) {
      expect(decode(keyShareCodec(scheme), encode(keyShareCodec(scheme), share)).ok).toBe(true);
    }
  });
};

const checkSigning = <P extends GroupPoint<P>>(
  { threshold, parties, shares }: ImportedKey<P>,
  verify: Verify,
): void => {
  it("makes a key that signs", () => {
    const signing = {
      shares: new Map(shares.map((share) => [share.self, share])),
      signers: parties.slice(-threshold),
      message: chainCode,
    };
    const signatures = outputsOf(runLockstep({ starts: frostStarts(signing) })).values();
    const publicKey = publicKeyOf(shares[0]?.info ?? expect.fail());
    for (const signature of signatures) expect(verify(signature, chainCode, publicKey)).toBe(true);
  });
};

const checkSecrecy = <P extends GroupPoint<P>>(imported: ImportedKey<P>): void => {
  const { scheme, threshold, parties, config, key, old, fresh } = imported;

  it("P23 makes what the client dealt stale: its shares are nobody's, and complete no set of ours", () => {
    const ours = new Set(fresh.map(({ value }) => value));
    for (const { party, at, value } of old) {
      expect(ours.has(value)).toBe(false);
      const others = fresh.filter((share) => share.at !== party && share.at !== at).slice(0, threshold - 1);
      for (const index of [at, party])
        expect(atZero(scheme, [...others, { at: index, value }])).not.toBe(key);
    }
  });

  it("INV-1 sends no share of anybody, old or new, and no key, in any message that is opened", () => {
    const passed: Passing[] = [];
    const shares = sharesOf<P>(
      runImport(config, {
        mutate: (passing) => {
          passed.push(passing);
          return passing.payload;
        },
      }),
    );
    const secrets = [
      key,
      ...old.map(({ value }) => value),
      ...shares.map((share) => share.secretShare.reveal()),
    ];
    for (const { payload } of passed) {
      for (const secret of secrets) expect(bytesToHex(payload)).not.toContain(scalarHex(secret));
    }
    expect(passed.length).toBe((parties.length - 1) * parties.length * 6);
  });
};

/** @param verify of a FROST scheme; vectors.test.ts tests signing with ECDSA keys */
const checkScheme = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  threshold: number,
  count: number,
  verify?: Verify,
): void => {
  const imported = importedKey(scheme, threshold, count);
  checkShares(imported);
  if (verify !== undefined) checkSigning(imported, verify);
  checkSecrecy(imported);
};

describe("the import of an ECDSA key", () => checkScheme(CGGMP24, 3, 5));
describe("the import of an Ed25519 key", () => checkScheme(FROST_ED25519, 3, 5, ed25519.verify));
describe("the import of a BIP-340 key", () => checkScheme(FROST_BIP340, 2, 3, schnorr.verify));
describe("the import of a Taproot key", () => checkScheme(FROST_TAPROOT, 2, 2, schnorr.verify));

describe("the import of a key without a chain code", () => {
  const config = { scheme: CGGMP24, threshold: 2, envelopes: envelopesOf(CGGMP24, 2, testParties(3), null) };
  const codesOf = (seed: string) => sharesOf(runImport(config, { seed })).map(({ info }) => info.chainCode);

  it("makes one that all contribute to, as for a new key", () => {
    const [first, ...others] = codesOf("a");
    expect(others).toEqual([first, first]);
    expect(codesOf("b")[0]).not.toEqual(first);
  });
});

describe("an import", () => {
  const envelopes = envelopesOf(CGGMP24, 2, testParties(3));
  const fit = importConfig({ scheme: CGGMP24, threshold: 2, envelopes }, testParty(1));

  it.each([
    ["a threshold that does not fit", { threshold: 4 }],
    ["parties without us", { self: testParty(4) }],
    ["a key id that is too long", { keyId: "ü".repeat(200) }],
    ["a party without a position", { assignment: assignPositions(testImportSigners(testParties(2))) }],
    ["positions of other parties", { assignment: assignPositions(testImportSigners(testParties(4))) }],
    ["the epoch of what the client dealt", { epoch: 0 }],
    ["two parties at one position", { assignment: new Map(testParties(3).map((party) => [party, 1])) }],
  ])("with %s throws: our own mistake", (_, change) => {
    expect(() => startImport({ ...fit, ...change })(seededEntropy("any"))).toThrow(RangeError);
  });

  it("waits for a party that falls silent, and makes no share", () => {
    const cheat = testParty(2);
    for (const silentFrom of [1, 3, 5]) {
      const outcomes = runImport(
        { scheme: CGGMP24, threshold: 2, envelopes },
        {
          mutate: ({ from, round, payload }) => (from === cheat && round >= silentFrom ? undefined : payload),
        },
      );
      const expected = { kind: "waiting", round: silentFrom, missing: [cheat] };
      expect(outcomes.get(testParty(1))).toEqual(expected);
    }
  });
});

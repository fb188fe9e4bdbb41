import { DiffieHellman } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { multiplyBase } from "../group.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import { add, decrypt, encryptOwn, scale } from "../paillier.ts";
import { presignRun } from "../presign/run.ts";
import {
  type AffineOperationStatement,
  openAffineOperation,
  prepareAffineOperation,
  proveAffineOperation,
} from "../proofs/affine-operation.ts";
import { insecureOwnAuxiliary, testParties } from "../testing/insecure-auxiliary.ts";
import { presign, presignConfig } from "../testing/presigning.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import type { ProofContext } from "../transcript.ts";
import { absolute, modulo } from "./integers.ts";
import { powModulo } from "./openssl.ts";

const SRC = join(import.meta.dirname, "..");
const SECURITY = join(SRC, "..", "..", "..", "SECURITY.md");
const signers = testParties(2);
const { p } = insecureOwnAuxiliary(1).paillier.factors;
const context: ProofContext = {
  session: new Uint8Array(32).fill(1),
  epoch: 4,
  prover: 1,
  verifier: 2,
  position: "secret powers",
};

// The only way from this package to OpenSSL's powers: it sets an exponent, then raises a base.
const setExponent = vi.spyOn(DiffieHellman.prototype, "setPrivateKey");
const raised = vi.spyOn(DiffieHellman.prototype, "computeSecret");

/** The exponent that an engine keeps afterwards: it is public, and no power is computed with it. */
const NO_EXPONENT = 1n;

const exponentsSet = (): readonly bigint[] => setExponent.mock.calls.map(([hex]) => BigInt(`0x${hex}`));

/** The exponents that were passed to OpenSSL, which refused no power. */
const exponents = (): readonly bigint[] => {
  expect(raised.mock.results.every(({ type }) => type === "return")).toBe(true);
  return exponentsSet().filter((exponent) => exponent !== NO_EXPONENT);
};

/** The powers that OpenSSL was asked for, in order: the exponent, and whether OpenSSL returned or threw. */
const powers = (): readonly (readonly [exponent: bigint, verdict: string])[] => {
  const asked = exponentsSet().filter((exponent) => exponent !== NO_EXPONENT);
  return raised.mock.results.map(({ type }, at) => [asked[at] ?? -1n, type]);
};

describe("P16 powers with secret exponents", () => {
  beforeEach(() => {
    setExponent.mockClear();
    raised.mockClear();
  });

  test("of a decryption are OpenSSL's: p-1 and q-1 are exponents there", () => {
    const { paillier } = insecureOwnAuxiliary(1);
    const { q } = paillier.factors;
    const ciphertext = encryptOwn(paillier, 12n, 34n);
    expect(exponents()).toEqual(expect.arrayContaining([modulo(q, p - 1n), modulo(p, q - 1n), p, q]));
    setExponent.mockClear();
    expect(decrypt(paillier, ciphertext)).toBe(12n);
    expect(exponents()).toEqual([p - 1n, q - 1n]);
  });

  test("of a presigning are OpenSSL's: every signer's share, and the factors of its keys", () => {
    presign({ t: 2, n: 2, signers });
    const raisedTo = new Set(exponents());
    for (const self of signers) {
      const { share, own } = presignRun(presignConfig({ t: 2, n: 2, signers }, self));
      const { factors } = own.paillier;
      expect(
        [absolute(share), factors.p - 1n, factors.q - 1n].map((exponent) => raisedTo.has(exponent)),
      ).toEqual([true, true, true]);
    }
  });

  test("whose results OpenSSL refuses stay with OpenSSL: the next power tells 1 from -1", () => {
    const half = (p - 1n) / 2n;
    expect([powModulo(4n, half, p), powModulo(p - 4n, half, p)]).toEqual([1n, p - 1n]);
    expect(powers()).toEqual([
      [half, "throw"],
      [half + 1n, "return"],
      [half, "throw"],
      [half + 1n, "return"],
    ]);
  });

  test.each([0n, 1n, -1n])(
    "of the base %i, which OpenSSL refuses, ask nothing but the exponent's last bit",
    (base) => {
      const share = (1n << 255n) - 19n;
      const results = [share, share + 1n].map((exponent) => powModulo(modulo(base, p), exponent, p));
      expect(results).toEqual([modulo(base, p), base * base]);
      expect(powers()).toEqual([]);
    },
  );

  test("of Πaff-g's verifier stay with OpenSSL when A is an encryption of 0: p-1 and q-1 meet no other arithmetic", () => {
    const [prover, verifier] = [insecureOwnAuxiliary(1), insecureOwnAuxiliary(2)];
    const { publicKey, factors } = verifier.paillier;
    const [K, zero] = [encryptOwn(verifier.paillier, 12n, 34n), encryptOwn(verifier.paillier, 0n, 56n)];
    const offset = { y: 7n, rho: 8n, rhoY: 9n };
    const statement: AffineOperationStatement = {
      receiver: publicKey,
      encryption: prover.paillier.publicKey,
      C: K,
      D: add(publicKey, scale(publicKey, K, 3n), encryptOwn(verifier.paillier, offset.y, offset.rho)),
      Y: encryptOwn(prover.paillier, offset.y, offset.rhoY),
      X: multiplyBase(3n),
      pedersen: verifier.pedersen.parameters,
    };
    const peer = { paillier: publicKey, pedersen: statement.pedersen };
    const mask = prepareAffineOperation(parameters, prover.paillier, peer, offset, seededEntropy("Πaff-g"));
    const proof = proveAffineOperation(context, parameters, statement, 3n, prover.paillier, mask);
    raised.mockClear();
    setExponent.mockClear();
    const lie = { ...proof, A: zero };
    expect(openAffineOperation(context, parameters, statement, lie, verifier, 12n)).toBeUndefined();
    const refused = powers().flatMap(([exponent, verdict]) => (verdict === "throw" ? [exponent] : []));
    expect(refused).toEqual([factors.p - 1n, factors.q - 1n]);
    for (const exponent of refused) expect(powers()).toContainEqual([exponent + 1n, "return"]);
  });

  test("leave no exponent in OpenSSL's cached objects", () => {
    const { paillier } = insecureOwnAuxiliary(1);
    expect(decrypt(paillier, encryptOwn(paillier, 0n, 34n))).toBe(0n);
    const engines = [...new Set(setExponent.mock.contexts)].filter(
      (engine) => engine instanceof DiffieHellman,
    );
    expect(engines.length).toBeGreaterThan(1);
    for (const engine of engines) expect(BigInt(`0x${engine.getPrivateKey("hex")}`)).toBe(NO_EXPONENT);
  });

  test("are computed in one file: no other squares and multiplies, or raises to a power that is no constant", () => {
    const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
      .map((path) => path.split("\\").join("/"))
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.startsWith("testing/"));
    /** files with powers of public values: bounds, and degrees of roots of public moduli */
    const publicPowers = new Set([
      "arithmetic/openssl.ts",
      "arithmetic/perfect-power.ts",
      "arithmetic/small-factors.ts",
    ]);
    const offenders = files
      .filter((path) => !publicPowers.has(path))
      .filter((path) => {
        const code = readFileSync(join(SRC, path), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
        return /\*\*(?!\s*\d+n?\b)/.test(code) || /powBySquaring/.test(code);
      });
    expect(offenders).toEqual([]);
  });
});

test("P16 arithmetic that is not constant-time is named where users look for it", () => {
  const security = readFileSync(SECURITY, "utf8");
  const section = security.split(/^## /m).find((part) => part.startsWith("What is not constant-time"));
  expect(section).toContain("OpenSSL's constant-time ladder");
  expect(section).toContain("BigInt");
  expect(section).toContain("noble's secp256k1");
});

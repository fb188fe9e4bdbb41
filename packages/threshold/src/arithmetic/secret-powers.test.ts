import { DiffieHellman } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { decrypt, encryptOwn } from "../paillier.ts";
import { presignRun } from "../presign/run.ts";
import { insecureOwnAuxiliary, testParties } from "../testing/insecure-auxiliary.ts";
import { presign, presignConfig } from "../testing/presigning.ts";
import { absolute, modulo } from "./integers.ts";

const SRC = join(import.meta.dirname, "..");
const SECURITY = join(SRC, "..", "..", "..", "SECURITY.md");
const signers = testParties(2);

// The package's one way to OpenSSL's powers: an exponent is set, then a base is raised.
const setExponent = vi.spyOn(DiffieHellman.prototype, "setPrivateKey");
const raised = vi.spyOn(DiffieHellman.prototype, "computeSecret");

/** The exponents that OpenSSL was given and raised to. */
const exponents = (): readonly bigint[] => {
  expect(raised.mock.results.every(({ type }) => type === "return")).toBe(true);
  return setExponent.mock.calls.map(([hex]) => BigInt(`0x${hex}`));
};

describe("P16 powers with secret exponents", () => {
  beforeEach(() => {
    setExponent.mockClear();
    raised.mockClear();
  });

  test("of a decryption are OpenSSL's: p-1 and q-1 are exponents there", () => {
    const { paillier } = insecureOwnAuxiliary(1);
    const { p, q } = paillier.factors;
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
      const { p, q } = own.paillier.factors;
      expect([absolute(share), p - 1n, q - 1n].map((exponent) => raisedTo.has(exponent))).toEqual([
        true,
        true,
        true,
      ]);
    }
  });

  test("are computed in one file: no other squares and multiplies, or raises to a power that is no constant", () => {
    const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
      .map((path) => path.split("\\").join("/"))
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.startsWith("testing/"));
    /** bounds and degrees of roots of moduli that everybody sees */
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

test("P16 what is not constant-time is said where users look for it", () => {
  const security = readFileSync(SECURITY, "utf8");
  const section = security.split(/^## /m).find((part) => part.startsWith("What is not constant-time"));
  expect(section).toContain("OpenSSL's constant-time ladder");
  expect(section).toContain("BigInt");
  expect(section).toContain("noble's secp256k1");
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { symmetricModulo } from "./arithmetic/integers.ts";
import { sampleSymmetric, sampleUnit } from "./entropy.ts";
import {
  add,
  areCiphertexts,
  decrypt,
  encrypt,
  encryptMasked,
  encryptOwn,
  isCiphertext,
  negate,
  paillierSecretKey,
  sampleMask,
  sampleMaskOwn,
  scale,
} from "./paillier.ts";
import { INSECURE_BLUM_PRIMES, seededEntropy } from "./testing/index.ts";

const [p = 0n, q = 0n] = INSECURE_BLUM_PRIMES;
const key = paillierSecretKey(p, q);
const { publicKey } = key;
const entropy = seededEntropy("paillier");
const fresh = (): bigint => sampleUnit(entropy, publicKey.n);

describe("Paillier", () => {
  it("P18 decrypts to the signed plaintext over the whole range", () => {
    const largest = (publicKey.n - 1n) / 2n;
    const plaintexts = [0n, 1n, -1n, 12345n, -12345n, largest, -largest, sampleSymmetric(entropy, largest)];
    expect(plaintexts.map((m) => decrypt(key, encrypt(publicKey, m, fresh())))).toEqual(plaintexts);
  });

  it("gives the owner of the factors the same ciphertexts as everybody", () => {
    const nonce = fresh();
    expect(encryptOwn(key, -77n, nonce)).toBe(encrypt(publicKey, -77n, nonce));
    const mask = sampleMask(publicKey, entropy);
    expect(encryptMasked(publicKey, 5n, mask)).toBe(encrypt(publicKey, 5n, mask.nonce));
    const own = sampleMaskOwn(key, entropy);
    expect(encryptMasked(publicKey, 5n, own)).toBe(encrypt(publicKey, 5n, own.nonce));
  });

  it("adds, negates and scales under encryption, by negative factors too", () => {
    const c = encrypt(publicKey, 1000n, fresh());
    expect(decrypt(key, add(publicKey, c, encrypt(publicKey, -1n, fresh())))).toBe(999n);
    expect(decrypt(key, negate(publicKey, c))).toBe(-1000n);
    expect([7n, -7n, 0n].map((factor) => decrypt(key, scale(publicKey, c, factor)))).toEqual([
      7000n,
      -7000n,
      0n,
    ]);
  });

  it("takes for ciphertexts only values in [1, N²) that are prime to N", () => {
    expect(isCiphertext(publicKey, encrypt(publicKey, 3n, fresh()))).toBe(true);
    const outside = [0n, -1n, publicKey.nSquared, publicKey.nSquared + 1n, p, p * 5n, publicKey.n];
    expect(outside.map((value) => isCiphertext(publicKey, value))).toEqual(outside.map(() => false));
    expect(areCiphertexts(publicKey, [1n, 2n, 3n])).toBe(true);
    expect(areCiphertexts(publicKey, [1n, p, 3n])).toBe(false);
    expect(outside.map((value) => areCiphertexts(publicKey, [value], key))).toEqual(outside.map(() => false));
  });
});

describe("Paillier, for any plaintexts", () => {
  const half = (publicKey.n - 1n) / 2n;
  const plaintext = fc.oneof(
    fc.bigInt({ min: -half, max: half }),
    fc.bigInt({ min: -1000n, max: 1000n }),
    fc.constantFrom(half, -half, half - 1n, 1n - half),
  );
  const factor = fc.oneof(fc.bigInt({ min: -(1n << 300n), max: 1n << 300n }), plaintext);
  const nonce = fc.nat().map((seed) => sampleUnit(seededEntropy(`nonce ${seed}`), publicKey.n));
  const ciphertextOf = (m: bigint, r: bigint): bigint => encrypt(publicKey, m, r);
  const runs = { numRuns: 12 };

  it("P18 decrypts what was encrypted, sign and all, and never leaves the signed range", () => {
    fc.assert(
      fc.property(plaintext, nonce, (m, r) => {
        expect(decrypt(key, ciphertextOf(m, r))).toBe(m);
        const wrapped = decrypt(key, ciphertextOf(m + publicKey.n, r));
        expect(wrapped).toBe(m);
        expect(isCiphertext(publicKey, ciphertextOf(m, r))).toBe(true);
      }),
      runs,
    );
  });

  it("adds: the product of ciphertexts holds the sum, wrapped into the signed range", () => {
    fc.assert(
      fc.property(plaintext, plaintext, nonce, nonce, (a, b, r, s) => {
        const sum = decrypt(key, add(publicKey, ciphertextOf(a, r), ciphertextOf(b, s)));
        expect(sum).toBe(symmetricModulo(a + b, publicKey.n));
      }),
      runs,
    );
  });

  it("scales by factors of any sign and size", () => {
    fc.assert(
      fc.property(plaintext, factor, nonce, (m, k, r) => {
        const c = ciphertextOf(m, r);
        expect(decrypt(key, scale(publicKey, c, k))).toBe(symmetricModulo(m * k, publicKey.n));
      }),
      runs,
    );
  });

  it("hides: another nonce is another ciphertext of the same plaintext", () => {
    fc.assert(
      fc.property(plaintext, nonce, nonce, (m, r, s) => {
        fc.pre(r !== s);
        expect(ciphertextOf(m, r)).not.toBe(ciphertextOf(m, s));
      }),
      runs,
    );
  });
});

import { describe, expect, it } from "vitest";
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

import { expect, it } from "vitest";
import { absolute } from "../arithmetic/integers.ts";
import { multiplyBase } from "../group.ts";
import { add, decrypt, encryptOwn, scale } from "../paillier.ts";
import { insecureOwnAuxiliary, testParty } from "../testing/insecure-auxiliary.ts";
import { presignConfig } from "../testing/presigning.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { convertWith, prepareConversion } from "./conversion.ts";
import { presignRun } from "./run.ts";

const SAMPLES = 4;
const K_PLAIN = 123_456_789n;
const X_SECRET = -987_654_321n;

const signers = [1, 2].map(testParty);
const run = presignRun(presignConfig({ t: 2, n: 2, signers }, testParty(1)));
const { paillier } = insecureOwnAuxiliary(2);
const K = encryptOwn(paillier, K_PLAIN, 5n);

const convert = (seed: string) => {
  const [peer] = run.peers;
  if (peer === undefined) throw new Error("two sign, so one is the peer");
  const mask = prepareConversion(run.parameters, run.own, peer, seededEntropy(seed));
  return convertWith(run, peer, K, X_SECRET, multiplyBase(X_SECRET), "presign/2 D", mask);
};
const samples = Array.from({ length: SAMPLES }, (_, at) => convert(`sample ${at}`));

it("gives the peer x·k - β, over signed integers", () => {
  for (const { conversion, beta } of samples) {
    expect(decrypt(paillier, conversion.D)).toBe(X_SECRET * K_PLAIN - beta);
  }
});

it("P14 masks the product with a β of ±2^ℓ′, longer than any product and its slack", () => {
  const { ell, epsilon, ellPrime } = run.parameters;
  const masks = samples.map(({ beta }) => absolute(beta));
  expect(masks.every((mask) => mask <= 1n << BigInt(ellPrime))).toBe(true);
  expect(masks.some((mask) => mask > 1n << BigInt(2 * ell + epsilon))).toBe(true);
});

it("P14 randomises the result anew: it is not the homomorphic image of K alone", () => {
  const key = paillier.publicKey;
  for (const { conversion, beta } of samples) {
    const bare = add(key, scale(key, K, X_SECRET), encryptOwn(paillier, -beta, 1n));
    expect(conversion.D).not.toBe(bare);
  }
});

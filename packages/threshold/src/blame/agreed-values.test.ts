import { expect, test } from "vitest";
import type { SchemeName } from "../scheme.ts";
import { testParties } from "../testing/insecure-auxiliary.ts";
import { agreedDigest, agreedMerkleRoot, LIVES_BYTES } from "./agreed-values.ts";
import type { Attempt } from "./attempt.ts";

const FROST = [32, 1, 32, 32];
const ROOT = 32;

/** An attempt to sign a message that binds values of these lengths; each value's bytes are its position. */
const attemptWith = (scheme: SchemeName, lengths: readonly number[]): Attempt => ({
  given: new Uint8Array(32),
  expiresAtMs: 1,
  protocol: "signing",
  level: "INSECURE-TEST",
  scheme,
  keyId: "key",
  epoch: 1,
  parties: testParties(2),
  threshold: 2,
  total: 3,
  agreed: lengths.map((length, at) => new Uint8Array(length).fill(at)),
});

test.each<[string, SchemeName, readonly number[], number | undefined]>([
  ["of a version before, without a script tree", "FROST-Taproot", [], undefined],
  ["of a version before, with a script tree", "FROST-Taproot", [ROOT], 4],
  ["without a script tree", "FROST-Taproot", [LIVES_BYTES], undefined],
  ["with a script tree", "FROST-Taproot", [ROOT, LIVES_BYTES], 4],
  ["of another scheme", "FROST-Ed25519", [LIVES_BYTES], undefined],
])("a run %s binds the root of a script tree at its place, or none", (_, scheme, tail, place) => {
  const attempt = attemptWith(scheme, [...FROST, ...tail]);
  expect(agreedMerkleRoot(attempt)?.[0]).toBe(place);
  expect(agreedDigest(attempt)[0]).toBe(3);
});

test.each<[string, SchemeName, readonly number[]]>([
  ["another scheme has a root", "FROST-Ed25519", [ROOT]],
  ["the lives come before the root", "FROST-Taproot", [LIVES_BYTES, ROOT]],
  ["there are two roots", "FROST-Taproot", [ROOT, ROOT]],
  ["the lives are there twice", "FROST-Taproot", [LIVES_BYTES, LIVES_BYTES]],
  ["the lives are longer", "FROST-Taproot", [LIVES_BYTES + 1]],
])("INV-7 a run shows nothing where %s", (_, scheme, tail) => {
  const attempt = attemptWith(scheme, [...FROST, ...tail]);
  expect(() => agreedMerkleRoot(attempt)).toThrow();
  expect(() => agreedDigest(attempt)).toThrow();
});

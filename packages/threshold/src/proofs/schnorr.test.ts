import { describe, expect, it } from "vitest";
import { decode, encode } from "../codec.ts";
import { SECP256K1 } from "../curve.ts";
import { GENERATOR, IDENTITY, multiplyBase, ORDER, sampleScalar } from "../group.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import type { ProofContext } from "../transcript.ts";
import { proveSchnorr, respondSchnorr, schnorrCodec, verifySchnorr } from "./schnorr.ts";

const entropy = seededEntropy("schnorr");
const context: ProofContext = {
  session: new Uint8Array(32).fill(7),
  epoch: 3,
  prover: 2,
  verifier: "all",
  position: "keygen/3",
};
const witness = sampleScalar(entropy);
const statement = { point: multiplyBase(witness), salt: new Uint8Array(32).fill(1) };
const proof = proveSchnorr(SECP256K1, context, statement, witness, entropy);

describe("Πsch", () => {
  it("verifies when the witness is right", () => {
    expect(verifySchnorr(SECP256K1, context, statement, proof)).toBe(true);
  });

  it("verifies again after a trip through its codec", () => {
    const decoded = decode(schnorrCodec(SECP256K1), encode(schnorrCodec(SECP256K1), proof));
    expect(decoded.ok && verifySchnorr(SECP256K1, context, statement, decoded.value)).toBe(true);
  });

  it("fails with a wrong witness", () => {
    const wrong = proveSchnorr(SECP256K1, context, statement, witness + 1n, entropy);
    expect(verifySchnorr(SECP256K1, context, statement, wrong)).toBe(false);
  });

  it.each<[string, Partial<ProofContext>]>([
    ["session", { session: new Uint8Array(32).fill(8) }],
    ["epoch", { epoch: 4 }],
    ["prover", { prover: 1 }],
    ["verifier", { verifier: 1 }],
    ["position", { position: "keygen/4" }],
  ])("P11 is bound to the %s", (_, change) => {
    expect(verifySchnorr(SECP256K1, { ...context, ...change }, statement, proof)).toBe(false);
  });

  it("P11 is bound to the salt and the point", () => {
    expect(verifySchnorr(SECP256K1, context, { ...statement, salt: new Uint8Array(32) }, proof)).toBe(false);
    expect(verifySchnorr(SECP256K1, context, { ...statement, point: statement.point.negate() }, proof)).toBe(
      false,
    );
  });

  it("P4 is bound to the commitment", () => {
    const moved = {
      commitment: proof.commitment.add(GENERATOR),
      response: (proof.response + 1n) % ORDER,
    };
    expect(verifySchnorr(SECP256K1, context, statement, moved)).toBe(false);
  });

  it("P9 refuses the identity as statement or commitment", () => {
    const trivial = proveSchnorr(SECP256K1, context, { ...statement, point: IDENTITY }, 0n, entropy);
    expect(verifySchnorr(SECP256K1, context, { ...statement, point: IDENTITY }, trivial)).toBe(false);
    const silent = { nonce: 0n, commitment: IDENTITY }; // the equation holds: z = e·x
    const shown = respondSchnorr(SECP256K1, context, statement, witness, silent);
    expect(verifySchnorr(SECP256K1, context, statement, shown)).toBe(false);
  });

  it("P20 has one encoding: a response not below q does not decode", () => {
    const bytes = encode(schnorrCodec(SECP256K1), proof);
    bytes.fill(0xff, 33);
    expect(decode(schnorrCodec(SECP256K1), bytes).ok).toBe(false);
  });
});

import type { Point, Signature } from "@conclave/threshold";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexOfScalar } from "./crate-form.ts";
import type { CrateSignature } from "./crate-program.ts";

/** Whether noble verifies the crate's signature: r and s unchanged, s low. */
export const verifies = (publicKey: Point, digest: Uint8Array, { r, s }: CrateSignature): boolean =>
  secp256k1.verify(Buffer.from(r.scalar + s.scalar, "hex"), digest, publicKey.toBytes(), {
    prehash: false,
    lowS: true,
  });

/** Whether both sides have exactly the same signature. */
export const isSameSignature = (ours: Signature, { r, s }: CrateSignature): boolean =>
  r.scalar === hexOfScalar(ours.r) && s.scalar === hexOfScalar(ours.s);

/** The partial signatures of an answer, in hex, in the order of the signers. */
export const hexOfPartials = (
  partials: readonly { readonly sigma: { readonly scalar: string } }[],
): readonly string[] => partials.map(({ sigma }) => sigma.scalar);

/** Whether both sides have exactly the same partial signatures in the same order. */
export const isSamePartials = (ours: readonly string[], theirs: readonly string[]): boolean =>
  ours.length === theirs.length && ours.every((partial, at) => partial === theirs[at]);

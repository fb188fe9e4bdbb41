import { decode, scalarCodec } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { combinePublic, multiplyPublic, type Point, SCALAR_BYTES, scalar } from "../group.ts";
import type { Presignature, PublicNonceShares } from "../presign/presignature.ts";
import type { Round } from "../session/round.ts";
import { abort, accuse, type FaultStep } from "../session/steps.ts";
import { isSignatureOf, normalised, type Signature } from "./signature.ts";

/**
 * The number of the signing round. Signing continues the session of its presigning, whose round numbers must
 * not recur.
 */
export const SIGNING_ROUND = 5;

/** The state of the signing round. */
interface PartialSigning {
  readonly presignature: Presignature;
  readonly digest: Uint8Array;
  /** the digest mod q */
  readonly m: bigint;
  /** x(Γ) */
  readonly r: bigint;
  /** our σ_i */
  readonly sigma: bigint;
}

/** Whether σ is signer j's partial signature: σ·Γ = m·Δ~_j + r·S~_j. */
export const isPartialSignature = (
  Gamma: Point,
  sigma: bigint,
  m: bigint,
  r: bigint,
  of: PublicNonceShares,
): boolean => multiplyPublic(Gamma, sigma).equals(combinePublic(of.k, m, of.chi, r));

/** The fault of the first peer whose σ_j does not fit its public shares; undefined when only our own σ_i is wrong. */
const findCheat = (
  { presignature, m, r }: PartialSigning,
  partials: ReadonlyMap<PartyIndex, bigint>,
): FaultStep | undefined => {
  const { Gamma, publics } = presignature;
  for (const [signer, sigma] of partials) {
    const expected = publics.get(signer);
    if (expected === undefined) throw new Error("a presignature holds the public shares of every signer");
    if (!isPartialSignature(Gamma, sigma, m, r, expected)) return accuse(signer, "sign/1 σ·Γ = m·Δ~ + r·S~");
  }
  return undefined;
};

/**
 * The only round of signing (Figure 10). The sum of the σ_j is the signature, which is verified before it is
 * released (P19). Only when the sum is wrong is each σ_j checked, because a sum that verifies has no culprit.
 * This is as strict as checking each: the sum with its recovery id verifies for only one value mod q, so any
 * change by a cheat is detected.
 */
export const round1 = (signing: PartialSigning): Round<Signature> => ({
  number: SIGNING_ROUND,
  expects: { broadcast: "plain", direct: "none", payloadBytesMax: SCALAR_BYTES },
  advance: (inbox) => {
    const { presignature, digest, r, sigma } = signing;
    const { self, signers, Gamma, publicKey } = presignature;
    const partials = new Map<PartyIndex, bigint>();
    let sum = sigma;
    for (const signer of signers) {
      if (signer === self) continue;
      const partial = decode(scalarCodec, inbox.broadcast(signer));
      if (!partial.ok) return accuse(signer, `sign/1 decoding: ${partial.reason}`);
      partials.set(signer, partial.value);
      sum += partial.value;
    }
    const s = scalar(sum);
    const signature = normalised(Gamma, r, s);
    if (isSignatureOf(publicKey, digest, signature)) return { kind: "output", output: signature };
    return (
      findCheat(signing, partials) ??
      abort(s === 0n ? "sign/1 s is zero" : "sign/1 signature under the public key")
    );
  },
});

import { decode, scalarCodec } from "../codec.ts";
import { combinePublic, multiplyPublic, type Point, SCALAR_BYTES, scalar } from "../group.ts";
import type { Presignature, PublicNonceShares } from "../presign/presignature.ts";
import type { Round } from "../session/round.ts";
import { isSignatureOf, normalised, type Signature } from "./signature.ts";

/** Signing goes on in the session of its presigning, whose rounds it must not repeat. */
export const SIGNING_ROUND = 5;

export interface PartialSigning {
  readonly presignature: Presignature;
  readonly digest: Uint8Array;
  /** the digest mod q */
  readonly m: bigint;
  /** x(Γ) */
  readonly r: bigint;
  /** our σ_i */
  readonly sigma: bigint;
}

/** σ·Γ = m·Δ~_j + r·S~_j: whether σ is signer j's partial signature. */
const isPartialSignature = (
  Gamma: Point,
  sigma: bigint,
  m: bigint,
  r: bigint,
  of: PublicNonceShares,
): boolean => multiplyPublic(Gamma, sigma).equals(combinePublic(of.k, m, of.chi, r));

/**
 * The one round of signing (Figure 10): every σ_j is checked by itself, so that a wrong one names its sender;
 * their sum is the signature, verified before anyone sees it (P19).
 */
export const round1 = ({ presignature, digest, m, r, sigma }: PartialSigning): Round<Signature> => ({
  number: SIGNING_ROUND,
  expects: { broadcast: "plain", direct: "none", payloadBytesMax: SCALAR_BYTES },
  advance: (inbox) => {
    const { self, signers, Gamma, publicKey, publics } = presignature;
    let sum = sigma;
    for (const signer of signers) {
      if (signer === self) continue;
      const partial = decode(scalarCodec, inbox.broadcast(signer));
      if (!partial.ok) {
        return {
          kind: "fault",
          accusation: { culprit: signer, check: `sign/1 decoding: ${partial.reason}` },
        };
      }
      const expected = publics.get(signer);
      if (expected === undefined) throw new Error("a presignature holds the public shares of every signer");
      if (!isPartialSignature(Gamma, partial.value, m, r, expected)) {
        return { kind: "fault", accusation: { culprit: signer, check: "sign/1 σ·Γ = m·Δ~ + r·S~" } };
      }
      sum += partial.value;
    }
    const s = scalar(sum);
    if (s === 0n) return { kind: "abort", check: "sign/1 s is zero" }; // P9
    const signature = normalised(Gamma, r, s);
    return isSignatureOf(publicKey, digest, signature)
      ? { kind: "output", output: signature }
      : { kind: "abort", check: "sign/1 signature under the public key" };
  },
});

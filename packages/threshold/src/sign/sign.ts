import { bytesToNumberBE } from "@noble/curves/utils.js";
import { encode, scalarCodec } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { scalar } from "../group.ts";
import type { PublicKeyInfo } from "../keygen/key-share.ts";
import type { Presignature } from "../presign/presignature.ts";
import { ENVELOPE_KIND } from "../session/envelope.ts";
import { type Material, NO_MATERIAL } from "../session/material.ts";
import type { Start } from "../session/round.ts";
import { withMaterial } from "../session/with-material.ts";
import { nonceScalar } from "./nonce-scalar.ts";
import { round1 } from "./round1.ts";
import type { Signature } from "./signature.ts";

/** The message digest's length in bytes. */
export const DIGEST_BYTES = 32;

/** The configuration of startSigning. */
export interface SigningConfig {
  readonly self: PartyIndex;
  /** signing takes its secret */
  readonly presignature: Presignature;
  /** 32 bytes, computed by this signer from the whole message: others who could choose the digest could forge (P7) */
  readonly digest: Uint8Array;
  /**
   * The current key, when the presignature comes from a pool. A presignature from an epoch before a refresh
   * would still sign, with shares that may have been stolen meanwhile, so it is refused.
   */
  readonly key?: Pick<PublicKeyInfo, "keyId" | "epoch">;
}

/**
 * All signers' messages about the presignature, and the accused's own echo, which shows that it received the
 * same ones.
 */
const materialOf = ({ testimony }: Presignature, culprit: PartyIndex): Material => ({
  ...NO_MATERIAL,
  presigning: testimony.filter(({ kind, from }) => kind === ENVELOPE_KIND.broadcast || from === culprit),
});

/**
 * Starts signing (Figure 10; one round): σ_i = k~_i·m + r·χ~_i. Only this function makes partial signatures,
 * and it takes the secret of the presignature, so that no second digest can be signed with it (P6). The
 * caller makes the tombstone durable before it sends the first message (INV-2).
 *
 * Runs in the session of the presigning, as its round SIGNING_ROUND.
 *
 * @returns the start of a run that ends in a verified Signature, or in a fault that names the peer whose σ_j
 * is wrong
 * @throws RangeError when the digest is not 32 bytes or the presignature is of another party, key or epoch;
 * the presignature is then still unused
 * @throws Error when the presignature was used before
 */
export const startSigning = ({ self, presignature, digest, key }: SigningConfig): Start<Signature> => {
  if (digest.length !== DIGEST_BYTES)
    throw new RangeError(`digest of ${digest.length} bytes, not ${DIGEST_BYTES}`);
  if (presignature.self !== self) throw new RangeError("the presignature of another party");
  if (key !== undefined && (presignature.keyId !== key.keyId || presignature.epoch !== key.epoch))
    throw new RangeError("the presignature of another key or epoch");
  const r = nonceScalar(presignature.Gamma);
  if (r === undefined) throw new RangeError("the presignature has no nonce");
  const { k, chi } = presignature.secret.take();
  const message = Uint8Array.from(digest); // copied, since the caller may change its buffer
  const m = scalar(bytesToNumberBE(message));
  const sigma = scalar(k * m + r * chi);
  const start: Start<Signature> = () => ({
    kind: "next",
    messages: [{ to: "all", payload: encode(scalarCodec, sigma) }],
    round: round1({ presignature, digest: message, m, r, sigma }),
  });
  return withMaterial(start, (culprit) => materialOf(presignature, culprit));
};

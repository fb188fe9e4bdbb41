import type { PartyIndex } from "../fault.ts";
import type { Point } from "../group.ts";
import type { Secret } from "../secret.ts";
import type { SessionId } from "../session/envelope.ts";

/** One signer's additive shares of γ^-1 and of γ^-1·x. */
export interface NonceShares {
  /** k~_i */
  readonly k: bigint;
  /** χ~_i */
  readonly chi: bigint;
}

/** The same in the exponent of Γ: what a partial signature is checked against. */
export interface PublicNonceShares {
  /** Δ~_j = k~_j·Γ */
  readonly k: Point;
  /** S~_j = χ~_j·Γ */
  readonly chi: Point;
}

/**
 * Half a signature: it lacks only the message, and serves for one (INV-2, P6). It is bound to its session, key,
 * epoch and signers. Its secret can be had but once, by startSigning, which makes no other use of it than one
 * partial signature; there are no bytes to store it in, so no restart and no backup brings it back.
 */
export interface Presignature {
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** ascending, self included */
  readonly signers: readonly PartyIndex[];
  readonly keyId: string;
  readonly epoch: number;
  readonly publicKey: Point;
  /** Γ = γ·G, the point of the signature's nonce */
  readonly Gamma: Point;
  /** of every signer */
  readonly publics: ReadonlyMap<PartyIndex, PublicNonceShares>;
  readonly secret: Secret<NonceShares>;
}

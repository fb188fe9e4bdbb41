import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { SchnorrNonce } from "../proofs/schnorr.ts";
import type { Scheme } from "../scheme.ts";
import type { SessionId } from "../session/envelope.ts";
import type { Polynomial } from "../sharing/polynomial.ts";
import type { ProofContext } from "../transcript.ts";

/** The parameters of one run of key generation, known to all its rounds. */
export interface KeyGenerationRun<P extends GroupPoint<P>> {
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** all future holders of a share; ascending, distinct, self included */
  readonly parties: readonly PartyIndex[];
  /** t: the number of parties that sign together, from 2 to the number of parties */
  readonly threshold: number;
  readonly keyId: string;
  readonly epoch: number;
  /** the signature scheme of the key */
  readonly scheme: Scheme<P>;
}

/** The secrets of one party during key generation. */
export interface OwnSecrets<P> {
  /** f_i */
  readonly polynomial: Polynomial;
  /** τ_i and A_i */
  readonly nonce: SchnorrNonce<P>;
}

/** The context of ψ_j: one proof for all verifiers. */
export const keygenContext = (
  { session, epoch }: { readonly session: SessionId; readonly epoch: number },
  prover: PartyIndex,
): ProofContext => ({
  session,
  epoch,
  prover,
  verifier: "all",
  position: "keygen/3 Πsch",
});

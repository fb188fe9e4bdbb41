import type { SchemeSignature, Signable, SignedAuthorisation } from "@conclave/custody";
import type { Outcome } from "@conclave/platform/coordination";

/** What a quorum is asked to sign: a transaction, or what is signed and not sent. */
export interface SigningRequest {
  readonly keyId: string;
  readonly authorisation: SignedAuthorisation;
  /** empty for what stands whole in the authorisation */
  readonly unsigned: Uint8Array;
  /** what the orchestrator itself read: the schemes decide whether presignatures are drawn */
  readonly signables: readonly Signable[];
  /** a hash that somebody chose: it meets no presignature (P7) */
  readonly isChosen: boolean;
  /** the authority's word on earlier transactions of the request, where there is one */
  readonly dead: SignedAuthorisation | undefined;
  /** whether these are the right signatures, in the order of the signables: others are never used (P19) */
  readonly isSigned: (signatures: readonly SchemeSignature[]) => boolean;
}

/** What a quorum made of it: either all is signed or nothing. */
export interface SigningResult {
  /** in the order of the signables */
  readonly signatures: readonly SchemeSignature[];
  readonly quorum: readonly number[];
  /** sessions that were begun, the last one included */
  readonly attempts: number;
  /** with a presignature of the pool, or with one made in the same session */
  readonly path: { readonly kind: "pooled" | "interactive" };
}

/** The cluster's signers, as requests need them. */
export interface SigningQuorum {
  /** why signing cannot begin now; undefined when it can */
  shortage(): string | undefined;
  /**
   * Signs with one quorum after another, replacing signers that die, stall or are blamed. It is "stopped" when too few
   * signers live or the process ends.
   * @param waiting told why it does not go on at the moment
   */
  sign(request: SigningRequest, waiting: (reason: string) => void): Promise<Outcome<SigningResult>>;
}

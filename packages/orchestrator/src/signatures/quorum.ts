import type { SigningResult } from "@conclave/cluster";
import type { SignedAuthorisation } from "@conclave/custody";
import type { CoordinationOutcome as Outcome } from "@conclave/platform/coordination";
import type { Signature } from "@conclave/threshold";

/** Something that an ECDSA key signs and nobody broadcasts; it stands whole in the authorisation. */
export interface ContentRequest {
  readonly keyId: string;
  readonly authorisation: SignedAuthorisation;
  /** a hash that somebody chose: it meets no presignature (P7) */
  readonly isChosen: boolean;
  /** whether it is the key's signature over the content: one that is not is never used (P19) */
  readonly isSignature: (signature: Signature) => boolean;
}

/** A message that a FROST key signs; it stands whole in the authorisation. */
export interface MessageRequest {
  readonly keyId: string;
  readonly authorisation: SignedAuthorisation;
  /** whether the 64 bytes are the key's signature over the message */
  readonly isSignature: (signature: Uint8Array) => boolean;
}

/** The cluster's signers, as a request for a signature needs them. */
export interface SignatureQuorum {
  /** why signing cannot begin now; undefined when it can */
  shortage(): string | undefined;
  /**
   * Signs with one quorum after another, replacing signers that die, stall or are blamed. It is "stopped" when too few
   * signers live or the process ends.
   * @param waiting told why it does not go on at the moment
   */
  signContent(request: ContentRequest, waiting: (reason: string) => void): Promise<Outcome<SigningResult>>;
  /** The same for a FROST key. */
  signMessage(
    request: MessageRequest,
    waiting: (reason: string) => void,
  ): Promise<Outcome<SigningResult<Uint8Array>>>;
}

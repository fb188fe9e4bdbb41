import type { AskedForRequest, SignedForRequest, SigningResult } from "@conclave/cluster";
import type { SchemeSignature, Signable, SignedAuthorisation } from "@conclave/custody";
import type { CoordinationOutcome } from "@conclave/platform/coordination";

/** A request to a quorum: to sign a transaction, or a message that stands in an authorisation and is not sent. */
export interface SigningRequest {
  /** the transfer, transaction or signature that is signed, for the log */
  readonly requestId: string;
  /** the key whose presignatures serve the ECDSA signables */
  readonly keyId: string;
  /** AuthorisedSigning */
  readonly authorisation: SignedAuthorisation;
  /** the unsigned transaction; empty when all that is signed stands in the authorisation */
  readonly unsigned: Uint8Array;
  /** as the orchestrator itself read them: their schemes decide whether presignatures are drawn */
  readonly signables: readonly Signable[];
  /** a hash that somebody chose: it meets no presignature (P7) */
  readonly isChosen: boolean;
  /** the authority's statement on earlier transactions of the request, where there is one */
  readonly dead: SignedAuthorisation | undefined;
  /** whether these are the right signatures, in the order of the signables: others are never used (P19) */
  readonly isSigned: (signatures: readonly SchemeSignature[]) => boolean;
  /** the same of the signature of one signable, for what takes several sessions to sign */
  readonly isOneSigned: (signable: Signable, signature: SchemeSignature) => boolean;
}

/** That of which parts are signed: the same bytes, by the same key. */
export type PartlySigned = Pick<SigningRequest, "keyId" | "unsigned" | "signables">;

/** Signers that are asked what they have signed. */
export interface AskedSigners {
  /** signers of the roster */
  readonly of: number;
  readonly threshold: number;
  /** how many of them remember at least that they signed, of what has a signature (judge-signed.ts) */
  readonly remembering: number;
  /** of those that live; undefined where one does not answer. None is rejected */
  readonly answers: readonly Promise<SignedForRequest | undefined>[];
}

/** The cluster's signers, as a request needs them. */
export interface SigningPort {
  /** why signing cannot begin now; undefined when it can */
  shortage(): string | undefined;
  /** whether a part of this is signed, and kept for the rest: other bytes in its place would be signed from the start */
  isBegun(request: PartlySigned): boolean;
  /** Asks all that live what they have signed for a request. */
  askSigned(asked: AskedForRequest): AskedSigners;
  /**
   * Signs with one quorum after another, replacing signers that die, stall or are blamed. It is "stopped" when too
   * few signers live or the process ends.
   *
   * @param waiting called with the reason why it does not go on at the moment
   */
  sign(
    request: SigningRequest,
    waiting: (reason: string) => void,
  ): Promise<CoordinationOutcome<SigningResult>>;
}

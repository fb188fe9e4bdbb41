import type { AskedForRequest, SignedForRequest, SigningResult } from "@conclave/cluster";
import type { SchemeSignature, Signable, SignedAuthorisation } from "@conclave/custody";
import type { CoordinationOutcome } from "@conclave/platform/coordination";

/** A request to a quorum to sign a transaction, or a message in an authorisation, which is not broadcast. */
export interface SigningRequest {
  /** id of the transfer, transaction or signature, for the log */
  readonly requestId: string;
  /** the key whose presignatures are used for the ECDSA signables */
  readonly keyId: string;
  /** AuthorisedSigning */
  readonly authorisation: SignedAuthorisation;
  /** the unsigned transaction; empty when the authorisation itself has the content */
  readonly unsigned: Uint8Array;
  /** the signables as the orchestrator itself read them: their schemes decide whether presignatures are used */
  readonly signables: readonly Signable[];
  /** whether a caller chose the hash: then no presignature of the pool signs it (P7) */
  readonly isChosen: boolean;
  /** the authority's statement on earlier transactions of the request, where there is one */
  readonly dead: SignedAuthorisation | undefined;
  /** whether these are valid signatures, in the order of the signables; others are never used (P19) */
  readonly isSigned: (signatures: readonly SchemeSignature[]) => boolean;
  /** whether this is a valid signature of one signable, for requests that take several sessions */
  readonly isOneSigned: (signable: Signable, signature: SchemeSignature) => boolean;
}

/** The identity of a request whose parts are kept: the same bytes, by the same key. */
export type PartlySigned = Pick<SigningRequest, "keyId" | "unsigned" | "signables">;

/** The signers that are asked what they have signed. */
export interface AskedSigners {
  /** number of signers in the roster */
  readonly of: number;
  readonly threshold: number;
  /** the least number of signers that remember signing, if there is a signature (judge-signed.ts) */
  readonly remembering: number;
  /** the answers of live signers; undefined where one does not answer. No promise rejects */
  readonly answers: readonly Promise<SignedForRequest | undefined>[];
}

/** The cluster's signers, for the work on requests. */
export interface SigningPort {
  /** the reason why signing cannot begin now; undefined when it can */
  shortage(): string | undefined;
  /** whether a part of this request is signed and kept: other bytes in its place would be signed from the start */
  isBegun(request: PartlySigned): boolean;
  /** Asks all live signers what they have signed for a request. */
  askSigned(asked: AskedForRequest): AskedSigners;
  /**
   * Signs with one quorum after another, replacing signers that die, stall or are blamed. The outcome is "stopped" when
   * too few signers live or the process ends.
   *
   * @param waiting called with the reason while signing is held up
   */
  sign(
    request: SigningRequest,
    waiting: (reason: string) => void,
  ): Promise<CoordinationOutcome<SigningResult>>;
}

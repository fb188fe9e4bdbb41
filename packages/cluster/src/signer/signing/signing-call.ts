import type { DeadTransactions, SchemeSignature, Signable } from "@conclave/custody";
import type { Attempt, PartyIndex } from "@conclave/threshold";
import type { SigningDigest } from "../../compute/signing/observed-digest.ts";
import type { CallId, SessionKey } from "../../control/session-key.ts";
import type { KeyRecord } from "../records/record.ts";
import type { RequestClaim } from "./request-claim.ts";

/** One signable, with the key that signs it. */
export interface SignableWithKey {
  readonly keyId: string;
  readonly key: KeyRecord;
  readonly signable: Signable;
  /** for CGGMP24, the digest and its origin; undefined for FROST, which signs a message */
  readonly digest: SigningDigest | undefined;
}

/** One signable with the session that signs it. */
export interface SigningPart extends SignableWithKey {
  readonly run: SessionKey;
  /** the values that the run id is derived from */
  readonly attempt: Attempt;
  /**
   * id of a presignature of the pool, 64 lower-case hex digits; undefined when the session makes its own, or signs with
   * FROST
   */
  readonly presignature: string | undefined;
  /** whether everything before the online round is done */
  readonly isReady: boolean;
  readonly signature: SchemeSignature | undefined;
}

/**
 * The work of one command to sign: a session for each signable. All are signed, or none: no online round begins before
 * all can, and when one session ends without a signature, all end.
 */
export interface SigningCall {
  readonly call: CallId;
  /** the session id as this signer received it, in hex */
  readonly given: string;
  /** the session's deadline, Unix milliseconds */
  readonly expiresAtMs: number;
  readonly signers: readonly PartyIndex[];
  readonly request: RequestClaim;
  /** Unix milliseconds: from then on the authorisation is too old to release a signature */
  readonly lapsesAtMs: number;
  /** the authority's statement on earlier transactions of the request, if there is one */
  readonly dead: DeadTransactions | undefined;
  /** in the order of the signables */
  readonly parts: readonly SigningPart[];
  /** whether the request is bound and every presignature spent, durably: online rounds may begin (INV-2, INV-4) */
  readonly isReleased: boolean;
}

/** Whether only messages are signed, with FROST: then nothing is written (begin-signing.ts). */
export const signsMessagesOnly = ({
  request,
  signables,
}: {
  readonly request: RequestClaim;
  readonly signables: readonly SignableWithKey[];
}): boolean =>
  request.transaction === undefined && signables.every(({ signable }) => signable.scheme !== "CGGMP24");

import type { DeadTransactions, SchemeSignature, Signable } from "@conclave/custody";
import type { Attempt, PartyIndex } from "@conclave/threshold";
import type { SigningDigest } from "../../compute/signing/observed-digest.ts";
import type { CallId, SessionKey } from "../../control/session-key.ts";
import type { KeyRecord } from "../records/record.ts";
import type { RequestClaim } from "./request-claim.ts";

/** One thing to sign, and the share that signs it. */
export interface SignableWithKey {
  readonly keyId: string;
  readonly key: KeyRecord;
  readonly signable: Signable;
  /** of a CGGMP24 signable: where its digest comes from; undefined for FROST, which signs a message */
  readonly digest: SigningDigest | undefined;
}

/** One thing to sign, in a session of its own. */
export interface SigningPart extends SignableWithKey {
  readonly run: SessionKey;
  /** all that the run id is derived from */
  readonly attempt: Attempt;
  /** of the pool, 64 lower-case hex digits; undefined when the session makes its own, or signs with FROST */
  readonly presignature: string | undefined;
  /** whether all that comes before the online round is done */
  readonly isReady: boolean;
  readonly signature: SchemeSignature | undefined;
}

/**
 * The work of one command to sign: a session for each thing to sign. They are signed wholly or not at all: no online round
 * begins before all can, and when one session ends without a signature, all end.
 */
export interface SigningCall {
  readonly call: CallId;
  /** the session id as it was given, in hex */
  readonly given: string;
  /** the session's deadline, Unix milliseconds */
  readonly expiresAtMs: number;
  readonly signers: readonly PartyIndex[];
  readonly request: RequestClaim;
  /** when the authorisation is too old to release anything for it, Unix milliseconds */
  readonly lapsesAtMs: number;
  /** the authority's statement on earlier transactions of the request, if one came */
  readonly dead: DeadTransactions | undefined;
  /** in the order of the signables */
  readonly parts: readonly SigningPart[];
  /** the request is bound and every presignature spent, durably: online rounds may begin (INV-2, INV-4) */
  readonly isReleased: boolean;
}

/** Whether nothing but messages is signed, with FROST: then nothing is written (begin-signing.ts). */
export const signsMessagesOnly = ({
  request,
  signables,
}: {
  readonly request: RequestClaim;
  readonly signables: readonly SignableWithKey[];
}): boolean =>
  request.transaction === undefined && signables.every(({ signable }) => signable.scheme !== "CGGMP24");

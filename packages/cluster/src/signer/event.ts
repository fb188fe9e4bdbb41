import type { SignedAuthorisation } from "@conclave/custody";
import type { AuxiliaryPrimes, Envelope, PartyIndex, Secret } from "@conclave/threshold";
import type { ComputeResult } from "../compute/task.ts";

/** Names one open control stream; reports for it are written there. */
export type CallId = string & { readonly __brand: "CallId" };
/**
 * Names one session in lower-case hex. In a signer's events and effects it is the run id, which signers derive from
 * the session id they were given and from all that they must agree on; in a coordinator's, the session id itself.
 */
export type SessionKey = string & { readonly __brand: "SessionKey" };

/** Everything that can happen to a signer. Each comes with `now`, Unix milliseconds. */
export type SignerEvent =
  | {
      readonly kind: "begin-auxiliary";
      readonly call: CallId;
      readonly session: Uint8Array;
      readonly epoch: number;
      readonly expiresAtMs: number;
    }
  | {
      readonly kind: "begin-key";
      readonly call: CallId;
      readonly session: Uint8Array;
      readonly authorisation: SignedAuthorisation;
      readonly expiresAtMs: number;
    }
  /** takes this signer's part of a key that a client sharded; what is stored is new shares of it */
  | {
      readonly kind: "begin-import";
      readonly call: CallId;
      readonly session: Uint8Array;
      /** AuthorisedImport */
      readonly authorisation: SignedAuthorisation;
      /** this signer's own encrypted share, as the client made it */
      readonly envelope: Uint8Array;
      readonly expiresAtMs: number;
    }
  /** seals this signer's share of a key for a client; no peer takes part */
  | {
      readonly kind: "begin-export";
      readonly call: CallId;
      readonly session: Uint8Array;
      /** AuthorisedExport */
      readonly authorisation: SignedAuthorisation;
      readonly expiresAtMs: number;
    }
  /** gives all holders of a key new shares of it (key refresh) */
  | {
      readonly kind: "begin-refresh";
      readonly call: CallId;
      readonly session: Uint8Array;
      readonly authorisation: SignedAuthorisation;
      readonly expiresAtMs: number;
    }
  /** t holders deal a key out anew to the whole roster, so that who lost its share has one again */
  | {
      readonly kind: "begin-reshare";
      readonly call: CallId;
      readonly session: Uint8Array;
      readonly authorisation: SignedAuthorisation;
      /** exactly threshold holders, ascending */
      readonly dealers: readonly number[];
      /** publicKeyInfoCodec of the key as it is: a signer without the key has it from nobody else */
      readonly info: Uint8Array;
      readonly expiresAtMs: number;
    }
  | {
      readonly kind: "begin-signing";
      readonly call: CallId;
      readonly session: Uint8Array;
      readonly quorum: readonly number[];
      readonly keyId: string;
      readonly authorisation: SignedAuthorisation;
      readonly unsignedTransaction: Uint8Array;
      /**
       * a ready presignature of exactly this key and quorum, 64 lower-case hex digits: the session is its online round
       * alone. Absent: presigning and the online round in one session
       */
      readonly presignature?: string;
      readonly expiresAtMs: number;
    }
  /** signs the message that stands in the authorisation, with a key of a FROST scheme */
  | {
      readonly kind: "begin-message-signing";
      readonly call: CallId;
      readonly session: Uint8Array;
      readonly quorum: readonly number[];
      readonly keyId: string;
      readonly authorisation: SignedAuthorisation;
      /** at most MESSAGE_SESSION_MS_MAX from now (limits.ts); all signers are told the same, for the run binds it */
      readonly expiresAtMs: number;
    }
  /** makes one presignature for the pool; it signs nothing, so it needs no authorisation */
  | {
      readonly kind: "begin-presigning";
      readonly call: CallId;
      readonly session: Uint8Array;
      readonly quorum: readonly number[];
      readonly keyId: string;
      readonly expiresAtMs: number;
    }
  /** burns ready presignatures; ids that are not ready here are passed over, so it is always safe and idempotent */
  | { readonly kind: "discard-presignatures"; readonly call: CallId; readonly ids: readonly string[] }
  | {
      readonly kind: "activate-key";
      readonly call: CallId;
      readonly keyId: string;
      /** the epoch that becomes active; absent: the key as it was generated */
      readonly epoch?: number;
    }
  | {
      readonly kind: "discard-key";
      readonly call: CallId;
      readonly keyId: string;
      /**
       * AuthorisedKeyDiscard: the next share that one session made, or is making; absent: the pending key as it was
       * generated
       */
      readonly authorisation?: SignedAuthorisation;
    }
  /** the caller closed its stream: abort what it began; harmless after the last word of a call */
  | { readonly kind: "call-closed"; readonly call: CallId }
  /** `from` is what the peer's certificate says */
  | { readonly kind: "envelope"; readonly from: PartyIndex; readonly envelope: Envelope }
  | { readonly kind: "primes"; readonly session: SessionKey; readonly primes: Secret<AuxiliaryPrimes> }
  | { readonly kind: "computed"; readonly session: SessionKey; readonly result: ComputeResult }
  /** the compute host died with these sessions (a worker stopped): each ends as a failure that blames nobody */
  | { readonly kind: "host-lost"; readonly sessions: readonly SessionKey[] }
  /** at least every TICK_MS_MAX (limits.ts) while a session is open; expiry and forgetting happen here */
  | { readonly kind: "tick" };

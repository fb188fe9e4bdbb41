import type { SignedAuthorisation } from "@conclave/custody";
import type { AuxiliaryPrimes, Envelope, PartyIndex, Secret } from "@conclave/threshold";
import type { ComputeResult } from "../compute/task.ts";
import type { Command, CommandKind, CommandOf } from "../control/command.ts";
import type { EpochWaiver } from "../control/epoch-waiver.ts";
import type { Lives } from "../control/lives.ts";
import type { CallId, SessionKey } from "../control/session-key.ts";

/** All events of a signer. Each comes with the time, Unix milliseconds. */
export type SignerEvent =
  /** the caller asks for a session; its reports go to `call` */
  | {
      readonly kind: "begin";
      readonly call: CallId;
      /** 32 bytes, chosen by the coordinator */
      readonly session: Uint8Array;
      readonly lives: Lives;
      readonly command: Command;
    }
  /** burns ready presignatures; ids that are not ready here are ignored, so it is always safe and idempotent */
  | { readonly kind: "discard-presignatures"; readonly call: CallId; readonly ids: readonly string[] }
  | {
      readonly kind: "activate-key";
      readonly call: CallId;
      readonly keyId: string;
      /** the epoch that should be active; absent: the newly generated key. A later epoch needs a certificate */
      readonly epoch?: number;
    }
  /** switches to a certified epoch (control/epoch-certificate.ts) */
  | { readonly kind: "switch-epoch"; readonly call: CallId; readonly certificate: Uint8Array }
  /**
   * the authority discards an attempt: a signer that holds nothing of it waives it; a signer that holds it erases it
   * only for the waivers of t signers
   */
  | {
      readonly kind: "discard-epoch";
      readonly call: CallId;
      /** AuthorisedKeyDiscard */
      readonly authorisation: SignedAuthorisation;
      readonly waivers: readonly EpochWaiver[];
    }
  | {
      readonly kind: "discard-key";
      readonly call: CallId;
      readonly keyId: string;
      /** AuthorisedKeyDiscard: ends the session that makes a next share; absent: discards the pending, newly generated key */
      readonly authorisation?: SignedAuthorisation;
    }
  /** the caller closed its stream: the signer aborts the call's session; no effect after the call's final report */
  | { readonly kind: "call-closed"; readonly call: CallId }
  /** `from` is the peer that TLS authenticated */
  | { readonly kind: "envelope"; readonly from: PartyIndex; readonly envelope: Envelope }
  | { readonly kind: "primes"; readonly session: SessionKey; readonly primes: Secret<AuxiliaryPrimes> }
  | { readonly kind: "computed"; readonly session: SessionKey; readonly result: ComputeResult }
  /** the compute host died with these sessions (a worker stopped): each ends as a failure that blames nobody */
  | { readonly kind: "host-lost"; readonly sessions: readonly SessionKey[] }
  /** this process stood still, or continues from a copy of its memory: another copy may use the same nonces */
  | {
      readonly kind: "resumed";
      /** LIFE_BYTES at random: this signer's new life */
      readonly life: Uint8Array;
    }
  /** comes at least every TICK_MS_MAX (limits.ts) while a session is open; deadlines and forgetting are handled here */
  | { readonly kind: "tick" };

/** A call for a session: its stream of reports, the session's id, and the lives of its signers. */
export interface NamedCall {
  readonly call: CallId;
  readonly session: Uint8Array;
  readonly lives: Lives;
}

/** A command with the call and session that it came with. */
export type Asked<Kind extends CommandKind = CommandKind> = CommandOf<Kind> & NamedCall;

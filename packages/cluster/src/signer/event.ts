import type { SignedAuthorisation } from "@conclave/custody";
import type { AuxiliaryPrimes, Envelope, PartyIndex, Secret } from "@conclave/threshold";
import type { ComputeResult } from "../compute/task.ts";
import type { Command, CommandKind, CommandOf } from "../control/command.ts";
import type { EpochWaiver } from "../control/epoch-waiver.ts";
import type { Lives } from "../control/lives.ts";
import type { CallId, SessionKey } from "../control/session-key.ts";

/** Everything that can happen to a signer. Each comes with `now`, Unix milliseconds. */
export type SignerEvent =
  /** the caller asks for a session; its reports go to `call` */
  | {
      readonly kind: "begin";
      readonly call: CallId;
      /** 32 bytes, as the coordinator chose it */
      readonly session: Uint8Array;
      readonly lives: Lives;
      readonly command: Command;
    }
  /** burns ready presignatures; ids that are not ready here are passed over, so it is always safe and idempotent */
  | { readonly kind: "discard-presignatures"; readonly call: CallId; readonly ids: readonly string[] }
  | {
      readonly kind: "activate-key";
      readonly call: CallId;
      readonly keyId: string;
      /** the epoch that should be active; absent: the key as it was generated. Another takes a certificate */
      readonly epoch?: number;
    }
  /** goes to the epoch that every signer holds durably, by control/epoch-certificate.ts */
  | { readonly kind: "switch-epoch"; readonly call: CallId; readonly certificate: Uint8Array }
  /** an attempt is not wanted: who holds nothing of it waives it, who holds it erases it for the waivers of t signers */
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
      /**
       * AuthorisedKeyDiscard: ends the session that makes a next share; absent: the pending key as it was generated
       */
      readonly authorisation?: SignedAuthorisation;
    }
  /** the caller closed its stream: abort what it began; harmless after the final report of a call */
  | { readonly kind: "call-closed"; readonly call: CallId }
  /** `from` is what the peer's certificate says */
  | { readonly kind: "envelope"; readonly from: PartyIndex; readonly envelope: Envelope }
  | { readonly kind: "primes"; readonly session: SessionKey; readonly primes: Secret<AuxiliaryPrimes> }
  | { readonly kind: "computed"; readonly session: SessionKey; readonly result: ComputeResult }
  /** the compute host died with these sessions (a worker stopped): each ends as a failure that blames nobody */
  | { readonly kind: "host-lost"; readonly sessions: readonly SessionKey[] }
  /** this process stood still, or goes on from a copy of its memory: a twin of it may use the same nonces */
  | {
      readonly kind: "resumed";
      /** LIFE_BYTES at random: this signer's life from now on */
      readonly life: Uint8Array;
    }
  /** at least every TICK_MS_MAX (limits.ts) while a session is open; expiry and forgetting happen here */
  | { readonly kind: "tick" };

/** A call that asks for a session: where its reports go, the session's id, and the lives of its signers. */
export interface NamedCall {
  readonly call: CallId;
  readonly session: Uint8Array;
  readonly lives: Lives;
}

/** A command as its session begins it. */
export type Asked<Kind extends CommandKind = CommandKind> = CommandOf<Kind> & NamedCall;

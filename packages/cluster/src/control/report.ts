import type { Problem, SchemeSignature } from "@conclave/custody";
import type { Evidence, ImportRefusal, PartyIndex } from "@conclave/threshold";

/** A key as a signer works with it in a session: signers in different epochs of it never meet. */
export interface KeyInSession {
  readonly keyId: string;
  readonly epoch: number;
}

/**
 * A signer's report to the caller of a command or question. Every report but "progress" is final: the stream ends
 * after it.
 */
export type SessionReport =
  | {
      readonly kind: "progress";
      readonly stage: string;
      /** with which share the session works; absent where it works with none, and from an older version */
      readonly key?: KeyInSession;
    }
  /** auxiliary info is durable; it serves nothing until its certificate comes */
  | {
      readonly kind: "auxiliary";
      readonly from: number;
      readonly epoch: number;
      readonly digest: Uint8Array;
      /** this signer's signature over `receiptBytes` */
      readonly receipt: Uint8Array;
    }
  | {
      readonly kind: "key";
      readonly keyId: string;
      readonly publicKey: Uint8Array;
      readonly chainCode: Uint8Array;
    }
  /** the client's material is no key: no honest signer keeps anything of it */
  | { readonly kind: "import-refused"; readonly refusals: readonly ImportRefusal[] }
  /** this signer's share, which the client's key opens; the signer has recorded that it left */
  | {
      readonly kind: "exported";
      readonly keyId: string;
      /** shares of one epoch alone make up the key */
      readonly epoch: number;
      readonly envelope: Uint8Array;
      /** the point that t such shares are of */
      readonly publicKey: Uint8Array;
    }
  | {
      readonly kind: "key-state";
      readonly keyId: string;
      readonly state: "absent" | "pending" | "active";
      /** of the share that is held; 0 when absent */
      readonly epoch: number;
    }
  /** this signer's share of the key's next epoch is durable; it serves nothing until its certificate comes */
  | {
      readonly kind: "key-changed";
      readonly keyId: string;
      readonly from: number;
      readonly epoch: number;
      /** of all that is public of the next epoch */
      readonly digest: Uint8Array;
      /** this signer's signature over `receiptBytes` */
      readonly receipt: Uint8Array;
    }
  /** nothing of the attempt is held here; `waiver` is signed where nothing of it ever was */
  | {
      readonly kind: "epoch-discarded";
      readonly subject: string;
      readonly session: string;
      readonly waiver: Uint8Array | undefined;
    }
  /** the epoch that is active here after a certificate was shown */
  | {
      readonly kind: "switched";
      readonly subject: string;
      /** that is active now; 0 where there is none */
      readonly epoch: number;
      /** of a key: `writeHandover` to the epoch of the certificate */
      readonly handover?: Uint8Array;
      /** whether the epoch waits here until more holders of before have handed the key over */
      readonly isWaiting?: true;
    }
  /** this signer has its part of the presignature, in memory alone; it may be used once all of its signers have said so */
  | { readonly kind: "presigned"; readonly id: string; readonly expiresAtMs: number }
  /** how many of the ids were ready here, and are burnt now */
  | { readonly kind: "presignatures-discarded"; readonly count: number }
  /** all that the command asked for, in the order of the signables: wholly signed */
  | { readonly kind: "signed"; readonly signatures: readonly SchemeSignature[] }
  | { readonly kind: "refusal"; readonly problem: Problem }
  | { readonly kind: "fault"; readonly evidence: Evidence }
  /** nobody can be shown to be at fault */
  | {
      readonly kind: "failure";
      readonly reason: string;
      /** the peers that the session was waiting for */
      readonly silent: readonly PartyIndex[];
      /** how far the session had come, see phaseOf of the compute host; absent from an older version */
      readonly phase?: number;
    };

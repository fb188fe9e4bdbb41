import type { Problem, SchemeSignature } from "@conclave/custody";
import type { Evidence, ImportRefusal, PartyIndex } from "@conclave/threshold";

/** The key and epoch that a signer uses in a session: signers in different epochs cannot work together. */
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
      /** the share that the session uses; absent where it uses none, and from an older version */
      readonly key?: KeyInSession;
    }
  /** new auxiliary info is durable; the signer uses it once its certificate comes */
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
  /** the client's shares do not make up a valid key: no honest signer keeps any of them */
  | { readonly kind: "import-refused"; readonly refusals: readonly ImportRefusal[] }
  /** this signer's share, sealed for the client; the signer has recorded the export */
  | {
      readonly kind: "exported";
      readonly keyId: string;
      /** only shares of the same epoch make up the key */
      readonly epoch: number;
      readonly envelope: Uint8Array;
      /** the point whose shares these are */
      readonly publicKey: Uint8Array;
    }
  | {
      readonly kind: "key-state";
      readonly keyId: string;
      readonly state: "absent" | "pending" | "active";
      /** epoch of the share that is held; 0 when absent */
      readonly epoch: number;
    }
  /** this signer's share of the key's next epoch is durable; the signer uses it once its certificate comes */
  | {
      readonly kind: "key-changed";
      readonly keyId: string;
      readonly from: number;
      readonly epoch: number;
      /** digest of all public data of the next epoch */
      readonly digest: Uint8Array;
      /** this signer's signature over `receiptBytes` */
      readonly receipt: Uint8Array;
    }
  /** the signer holds nothing of the attempt; `waiver` is signed if it never did */
  | {
      readonly kind: "epoch-discarded";
      readonly subject: string;
      readonly session: string;
      readonly waiver: Uint8Array | undefined;
    }
  /** the answer to a certificate: the epoch that is active at the signer now */
  | {
      readonly kind: "switched";
      readonly subject: string;
      /** the active epoch; 0 where there is none */
      readonly epoch: number;
      /** for a key: `writeHandover` to the epoch of the certificate */
      readonly handover?: Uint8Array;
      /** whether the new epoch is inactive here until more of the earlier holders have handed the key over */
      readonly isWaiting?: true;
    }
  /**
   * this signer has its part of the presignature, in memory alone; the presignature may be used once all of its signers
   * have reported it
   */
  | { readonly kind: "presigned"; readonly id: string; readonly expiresAtMs: number }
  /** how many of the ids were ready at the signer, and are burnt now */
  | { readonly kind: "presignatures-discarded"; readonly count: number }
  /** the signatures of all signables that the command asked for, in their order */
  | { readonly kind: "signed"; readonly signatures: readonly SchemeSignature[] }
  | { readonly kind: "refusal"; readonly problem: Problem }
  | { readonly kind: "fault"; readonly evidence: Evidence }
  /** the session failed, and nobody can be proven to be at fault */
  | {
      readonly kind: "failure";
      readonly reason: string;
      /** the peers that the session was waiting for */
      readonly silent: readonly PartyIndex[];
      /** how far the session had come (`phaseOf` of the compute host); absent from an older version */
      readonly phase?: number;
    };

import type {
  AuxiliaryPrimes,
  Envelope,
  Fault,
  IgnoreReason,
  ImportRefusal,
  Parameters,
  PartyIndex,
  PartySecrets,
  PeerKeys,
  PublicKeyInfo,
  SchemeName,
  Secret,
  Signature,
} from "@conclave/threshold";
import type { ObservedDigest } from "./observed-digest.ts";

/** A request that waits for its signature, or the pool of presignatures, which is in no hurry. */
export type PresigningPurpose = "request" | "pool";

/**
 * The heavy half of a signer: protocol sessions live in a compute host (a worker thread in a process, a plain value
 * in a test) and the brain speaks to it in these values. One session's tasks are done in order.
 *
 * Shares and auxiliary info pass as canonical bytes: no class instance crosses a worker boundary, and the host
 * remembers what it decoded (by SHA-256 of the bytes), so that a task may always carry all it needs.
 */
export type ComputeTask =
  | {
      readonly kind: "open-auxiliary";
      /** ascending, self included */
      readonly parties: readonly PartyIndex[];
      readonly epoch: number;
      readonly primes: Secret<AuxiliaryPrimes>;
    }
  | {
      readonly kind: "open-key";
      readonly parties: readonly PartyIndex[];
      readonly keyId: string;
      readonly scheme: SchemeName;
      readonly threshold: number;
      readonly epoch: number;
    }
  | {
      readonly kind: "open-import";
      readonly parties: readonly PartyIndex[];
      readonly keyId: string;
      readonly scheme: SchemeName;
      readonly threshold: number;
      readonly epoch: number;
      /** where the client evaluated its polynomial for each of the parties, in their order: 1 to n */
      readonly places: readonly number[];
      /** our own encrypted share, as the client made it; the host has the key that opens it */
      readonly envelope: Uint8Array;
    }
  /** seals our share for a client that the key is handed out to; done at once, no session is opened */
  | {
      readonly kind: "seal-export";
      readonly scheme: SchemeName;
      /** keyShareCodec of the scheme */
      readonly key: Secret<Uint8Array>;
      /** the client's: 34 or 66 bytes */
      readonly encryptionKey: Uint8Array;
      readonly withChainCode: boolean;
    }
  | {
      readonly kind: "open-refresh";
      readonly parties: readonly PartyIndex[];
      readonly scheme: SchemeName;
      /** keyShareCodec of the scheme: the share as it is */
      readonly key: Secret<Uint8Array>;
    }
  | {
      readonly kind: "open-reshare";
      /** dealers and receivers: all of them receive */
      readonly parties: readonly PartyIndex[];
      readonly scheme: SchemeName;
      /** publicKeyInfoCodec of the scheme: the key as it is */
      readonly info: Uint8Array;
      /** keyShareCodec of the scheme, of a dealer */
      readonly key?: Secret<Uint8Array>;
      readonly dealers: readonly PartyIndex[];
      readonly threshold: number;
    }
  | {
      readonly kind: "open-presigning";
      readonly purpose: PresigningPurpose;
      readonly signers: readonly PartyIndex[];
      /** keyShareCodec */
      readonly key: Secret<Uint8Array>;
      /** auxiliaryInfoCodec */
      readonly auxiliary: Secret<Uint8Array>;
    }
  /** the online round, with the presignature that this session made; asked for only after its tombstone is durable */
  | { readonly kind: "open-signing"; readonly digest: Uint8Array }
  /** the presignature that this session made goes to the pool; the host keeps nothing of it */
  | { readonly kind: "export-presignature" }
  /**
   * the online round in a session of its own, with a presignature of the pool; asked for only after its tombstone is
   * durable and its record is gone (INV-2)
   */
  | {
      readonly kind: "open-pooled-signing";
      /** 64 lower-case hex digits; the bytes must be those of this presignature */
      readonly id: string;
      /** presignatureCodec */
      readonly presignature: Secret<Uint8Array>;
      /** the key as it is now: a presignature of another key or epoch does not sign */
      readonly key: Pick<PublicKeyInfo, "keyId" | "epoch">;
      readonly digest: ObservedDigest;
    }
  /** the nonces are made now and live in the host alone: a session signs at most once, and is never resumed (INV-2) */
  | {
      readonly kind: "open-frost";
      readonly signers: readonly PartyIndex[];
      /** the key's; never CGGMP24 */
      readonly scheme: SchemeName;
      /** keyShareCodec of the scheme */
      readonly key: Secret<Uint8Array>;
      /** what this signer read in the authorised request, whole */
      readonly message: Uint8Array;
    }
  | { readonly kind: "deliver"; readonly envelope: Envelope };

/** What a host is made with: who it is, and whom it may hear. The brain itself needs no identity secret. */
export interface HostConfig {
  readonly self: PartyIndex;
  readonly parameters: Parameters;
  /** every signer of the roster, self included */
  readonly peers: ReadonlyMap<PartyIndex, PeerKeys>;
  readonly secrets: Secret<PartySecrets>;
}

export type ComputeResult =
  | {
      readonly kind: "running";
      /** such as "presign/2" */
      readonly stage: string;
      readonly send: readonly Envelope[];
      /** peers whose messages the session's round still lacks */
      readonly awaiting: readonly PartyIndex[];
      readonly ignored?: IgnoreReason;
    }
  | {
      readonly kind: "auxiliary";
      /** auxiliaryInfoCodec */
      readonly info: Secret<Uint8Array>;
      readonly epoch: number;
      /** of the public material: the same on every signer */
      readonly digest: Uint8Array;
      readonly send: readonly Envelope[];
    }
  | {
      readonly kind: "key";
      /** keyShareCodec */
      readonly share: Secret<Uint8Array>;
      readonly keyId: string;
      /** as its scheme writes it: 33 bytes for ECDSA, 32 otherwise */
      readonly publicKey: Uint8Array;
      /** 32 bytes */
      readonly chainCode: Uint8Array;
      readonly send: readonly Envelope[];
    }
  /** what the client gave is no key; the same at every honest signer, and nothing of it is kept */
  | {
      readonly kind: "import-refused";
      /** at least one */
      readonly refusals: readonly ImportRefusal[];
      readonly send: readonly Envelope[];
    }
  | {
      readonly kind: "exported";
      /** what the client's key opens */
      readonly envelope: Uint8Array;
      /** the point that t such shares are of: for Taproot the internal key */
      readonly publicKey: Uint8Array;
    }
  | {
      readonly kind: "key-changed";
      /** keyShareCodec of the scheme, of the next epoch */
      readonly share: Secret<Uint8Array>;
      readonly keyId: string;
      readonly epoch: number;
      readonly publicKey: Uint8Array;
      readonly chainCode: Uint8Array;
      /** keyDigest of the next epoch: the same on every signer */
      readonly digest: Uint8Array;
      readonly send: readonly Envelope[];
    }
  /** the presignature itself stays with the host, until "export-presignature" asks for it */
  | { readonly kind: "presigned"; readonly send: readonly Envelope[] }
  | {
      readonly kind: "presignature";
      /** a hash of the session's id, 64 lower-case hex digits: nobody chooses it */
      readonly id: string;
      /** presignatureCodec */
      readonly presignature: Secret<Uint8Array>;
    }
  | { readonly kind: "signature"; readonly signature: Signature; readonly send: readonly Envelope[] }
  /** 64 bytes that verify under the key */
  | {
      readonly kind: "frost-signature";
      readonly signature: Uint8Array;
      readonly send: readonly Envelope[];
    }
  /** its last words let the other signers judge alike */
  | { readonly kind: "fault"; readonly fault: Fault; readonly send: readonly Envelope[] }
  | { readonly kind: "abort"; readonly check: string };

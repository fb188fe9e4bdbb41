import type {
  AuxiliaryInfo,
  Envelope,
  Fault,
  IgnoreReason,
  KeyShare,
  PartyIndex,
  Secret,
  SessionConfig,
  Signature,
} from "@conclave/threshold";

/**
 * The heavy half of a signer: protocol sessions live in a compute host (a worker thread in a process, a plain value
 * in a test) and the brain speaks to it in these values. One session's tasks are done in order.
 */
export type ComputeTask =
  | {
      readonly kind: "open-auxiliary";
      readonly config: SessionConfig;
      readonly epoch: number;
      readonly parameters: string;
      readonly primes: Secret<AuxiliaryPrimes>;
    }
  | {
      readonly kind: "open-key";
      readonly config: SessionConfig;
      readonly keyId: string;
      readonly threshold: number;
      readonly epoch: number;
    }
  | {
      readonly kind: "open-presigning";
      readonly config: SessionConfig;
      readonly key: KeyShare;
      readonly auxiliary: AuxiliaryInfo;
    }
  /** the online round, with the presignature that this session made; asked for only after its tombstone is durable */
  | { readonly kind: "open-signing"; readonly digest: Uint8Array }
  | { readonly kind: "deliver"; readonly envelope: Envelope };

export interface AuxiliaryPrimes {
  readonly p: bigint;
  readonly q: bigint;
  readonly pHat: bigint;
  readonly qHat: bigint;
}

export type ComputeResult =
  | { readonly kind: "running"; readonly stage: string; readonly send: readonly Envelope[]; readonly ignored?: IgnoreReason }
  | { readonly kind: "auxiliary"; readonly info: AuxiliaryInfo; readonly send: readonly Envelope[] }
  | { readonly kind: "key"; readonly share: KeyShare; readonly send: readonly Envelope[] }
  /** the presignature itself stays with the host */
  | { readonly kind: "presigned"; readonly send: readonly Envelope[] }
  | { readonly kind: "signature"; readonly signature: Signature; readonly send: readonly Envelope[] }
  | { readonly kind: "fault"; readonly fault: Fault }
  | { readonly kind: "abort"; readonly check: string };

export type SignerIndex = PartyIndex;

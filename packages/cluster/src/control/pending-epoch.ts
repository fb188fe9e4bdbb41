/** A new epoch that a signer holds and has not activated; its public fields. */
export interface PendingEpoch {
  /** the epoch before; 0 where there was none */
  readonly from: number;
  readonly epoch: number;
  /** id of the session that made it, as its signers received it, in hex */
  readonly session: string;
  /** digest of all public data of the epoch: equal on all signers of one run */
  readonly digest: Uint8Array;
  /** this signer's signature over `receiptBytes` */
  readonly receipt: Uint8Array;
}

/** A new epoch that a signer holds and that is not active, as far as it may be shown. */
export interface PendingEpoch {
  /** the epoch that it was made from; 0 where there was none */
  readonly from: number;
  readonly epoch: number;
  /** the session that made it, as it was given, in hex */
  readonly session: string;
  /** of all that is public of the epoch: signers that were in one run say the same */
  readonly digest: Uint8Array;
  /** this signer's signature over `receiptBytes` */
  readonly receipt: Uint8Array;
}

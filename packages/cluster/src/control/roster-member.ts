import type { PeerKeys } from "@conclave/threshold";

/** A signer as the cluster's roster pins it. */
export interface RosterMember extends PeerKeys {
  /** such as "signer-1" */
  readonly id: string;
  /** to which import clients encrypt its shares, 34 bytes; absent when the roster is older than key import */
  readonly importKey?: Uint8Array;
}

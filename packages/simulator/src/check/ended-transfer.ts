import type { StoredEvent } from "@conclave/platform";

/** A transfer that was accepted, as a run left it. Each has a recipient of its own. */
export interface EndedTransfer {
  readonly id: string;
  /** of the row; undefined where there is none */
  readonly status: string | undefined;
  readonly reason: string | undefined;
  /** the amount that it was to move, in its network's smallest unit */
  readonly amount: bigint;
  /** the sum that its recipient has on the chain */
  readonly arrived: bigint;
  /** how often a block with its payment was undone */
  readonly undone: number;
  readonly events: readonly Pick<StoredEvent, "kind">[];
}

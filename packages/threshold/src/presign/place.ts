import type { PartyIndex } from "../fault.ts";
import type { ProofContext } from "../transcript.ts";

/** Where what a peer proves to us stands (P11), but for the position in the protocol. */
export interface Place extends Pick<ProofContext, "session" | "epoch"> {
  readonly prover: PartyIndex;
  /** us */
  readonly verifier: PartyIndex;
}

import type { PartyIndex } from "../fault.ts";
import type { ProofContext } from "../transcript.ts";

/** The context of a peer's proofs to us (P11), except their position in the protocol. */
export interface ProverContext extends Pick<ProofContext, "session" | "epoch"> {
  readonly prover: PartyIndex;
  /** us */
  readonly verifier: PartyIndex;
}

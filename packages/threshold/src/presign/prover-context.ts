import type { PartyIndex } from "../fault.ts";
import type { ProofContext } from "../transcript.ts";

/** The context of a peer's proofs to this party (P11), except their position in the protocol. */
export interface ProverContext extends Pick<ProofContext, "session" | "epoch"> {
  readonly prover: PartyIndex;
  /** this party */
  readonly verifier: PartyIndex;
}

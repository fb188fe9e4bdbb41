import type { PartyIndex } from "../fault.ts";
import type { Parameters } from "../parameters.ts";
import type { SessionId } from "../session/envelope.ts";
import { hashFields, type ProofContext } from "../transcript.ts";

/** The parameters of one run of auxiliary generation, known to all its rounds. */
export interface AuxiliaryRun {
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** ascending, distinct, self included */
  readonly parties: readonly PartyIndex[];
  readonly epoch: number;
  readonly parameters: Parameters;
}

/** The run's fields that the transcript of a proof absorbs. */
export type RunContext = Pick<AuxiliaryRun, "session" | "epoch">;

/** The context of Πprm. Made before ρ is known, it binds only the session and the prover. */
export const parametersContext = ({ session, epoch }: RunContext, prover: PartyIndex): ProofContext => ({
  session,
  epoch,
  prover,
  verifier: "all",
  position: "aux/2 Πprm",
});

/** H(sid, epoch, ρ), 32 bytes: the session of Πmod and Πfac, which binds the joint randomness ρ of all parties. */
export const sessionWithRho = (run: AuxiliaryRun, rho: Uint8Array): Uint8Array =>
  hashFields("aux session with ρ", [run.session, run.epoch, rho]);

/** The context of Πmod: the same proof for every verifier. */
export const modulusContext = (
  { epoch }: Pick<RunContext, "epoch">,
  bound: Uint8Array,
  prover: PartyIndex,
): ProofContext => ({
  session: bound,
  epoch,
  prover,
  verifier: "all",
  position: "aux/3 Πmod",
});

/** The context of Πfac: for one verifier, against its (N^, s, t). */
export const factorContext = (
  run: AuxiliaryRun,
  bound: Uint8Array,
  prover: PartyIndex,
  verifier: PartyIndex,
): ProofContext => ({ session: bound, epoch: run.epoch, prover, verifier, position: "aux/3 Πfac" });

import type { PartyIndex } from "../fault.ts";
import type { Parameters } from "../parameters.ts";
import { type BlumModulusProof, verifyBlumModulus } from "../proofs/paillier-blum-modulus.ts";
import { type RingPedersenProof, verifyRingPedersen } from "../proofs/ring-pedersen-parameters.ts";
import type { RingPedersen } from "../ring-pedersen.ts";
import { modulusContext, parametersContext, type RunContext } from "./run.ts";

/** The Πprm of a peer, with its statement; all public. */
export interface ParametersCheck {
  readonly context: RunContext;
  readonly prover: PartyIndex;
  readonly pedersen: RingPedersen;
  readonly proof: RingPedersenProof;
}

/** The Πmod of a peer, with its statement; all public. */
export interface ModulusCheck {
  /** its session binds ρ */
  readonly context: RunContext;
  readonly prover: PartyIndex;
  readonly n: bigint;
  readonly proof: BlumModulusProof;
}

/** The name of the failed check; undefined when the proof verifies. */
export const flawOfParametersProof = (
  parameters: Parameters,
  { context, prover, pedersen, proof }: ParametersCheck,
): string | undefined =>
  verifyRingPedersen(parametersContext(context, prover), parameters, pedersen, proof)
    ? undefined
    : "aux/2 Πprm";

/** The name of the failed check; undefined when the proof verifies. */
export const flawOfModulusProof = (
  parameters: Parameters,
  { context, prover, n, proof }: ModulusCheck,
): string | undefined =>
  verifyBlumModulus(modulusContext(context, context.session, prover), parameters, n, proof)
    ? undefined
    : "aux/3 Πmod";

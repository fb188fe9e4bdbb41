import { changeSteps } from "./examination.ts";
import type { Round, Start, Step } from "./round.ts";

const laterStep = <Output>(step: Step<Output>, after: number): Step<Output> =>
  step.kind === "next" ? { ...step, round: laterRound(step.round, after) } : step;

const laterRound = <Output>(round: Round<Output>, after: number): Round<Output> => ({
  ...changeSteps(round, (step) => laterStep(step, after)),
  number: round.number + after,
});

/**
 * Runs a protocol as the last part of another protocol, in the same session.
 *
 * @param after the number of the first protocol's last round; the second one's rounds are numbered after it
 */
export const continuation =
  <Output>(start: Start<Output>, after: number): Start<Output> =>
  (entropy) =>
    laterStep(start(entropy), after);

import type { Round, Start, Step } from "./round.ts";

const laterStep = <Output>(step: Step<Output>, after: number): Step<Output> =>
  step.kind === "next" ? { ...step, round: laterRound(step.round, after) } : step;

const laterRound = <Output>(round: Round<Output>, after: number): Round<Output> => ({
  ...round,
  number: round.number + after,
  advance: (inbox, entropy) => laterStep(round.advance(inbox, entropy), after),
});

/**
 * A protocol as the last part of another one, in the same session.
 *
 * @param after the number of the other's last round, from which its rounds count on
 */
export const continuation =
  <Output>(start: Start<Output>, after: number): Start<Output> =>
  (entropy) =>
    laterStep(start(entropy), after);

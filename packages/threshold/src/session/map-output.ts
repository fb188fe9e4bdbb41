import { changeSteps } from "./examination.ts";
import type { Start, Step } from "./round.ts";

const mapStep = <From, To>(step: Step<From>, change: (output: From) => To): Step<To> => {
  switch (step.kind) {
    case "output":
      return { kind: "output", output: change(step.output) };
    case "next":
      return { ...step, round: changeSteps(step.round, (next) => mapStep(next, change)) };
    case "fault":
    case "abort":
      return step;
  }
};

/** The same protocol with the same messages, but with its output changed by `change`. */
export const mapOutput =
  <From, To>(start: Start<From>, change: (output: From) => To): Start<To> =>
  (entropy) =>
    mapStep(start(entropy), change);

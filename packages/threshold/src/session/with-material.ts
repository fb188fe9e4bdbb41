import type { PartyIndex } from "../fault.ts";
import { changeSteps } from "./examination.ts";
import type { Material } from "./material.ts";
import type { Start, Step } from "./round.ts";

/**
 * The same protocol, whose accusations carry the public values that their checks need.
 *
 * @param materialFor of an accusation of this party; called only when there is one
 */
export const withMaterial = <Output>(
  start: Start<Output>,
  materialFor: (culprit: PartyIndex) => Material,
): Start<Output> => {
  const change = (step: Step<Output>): Step<Output> => {
    switch (step.kind) {
      case "next":
        return { ...step, round: changeSteps(step.round, change) };
      case "fault":
        return { material: materialFor(step.accusation.culprit), ...step };
      case "output":
      case "abort":
        return step;
    }
  };
  return (entropy) => change(start(entropy));
};

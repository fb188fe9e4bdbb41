import type { PartyIndex } from "../fault.ts";
import { changeSteps } from "./examination.ts";
import type { Material } from "./material.ts";
import type { Start, Step } from "./round.ts";

/**
 * The same protocol, with accusations that carry the public values that their checks need.
 *
 * @param materialFor the material for an accusation of this party; called only for an accusation
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

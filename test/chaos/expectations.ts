import type { ChaosPlan, InjectedFault } from "@conclave/chaos";
import type { Expectations } from "./check/finding.ts";

const isOfNode = (fault: InjectedFault): boolean =>
  fault.kind === "kill" && fault.places.some(({ kind }) => kind === "node");

/** Whether publishing is disturbed: what failed is published again, and comes late. */
const isOfPublishing = (fault: InjectedFault): boolean => {
  switch (fault.kind) {
    case "kill":
    case "stop":
    case "pause":
      return fault.places.some(({ kind }) => kind === "bus" || kind === "gateway" || kind === "database");
    case "link":
      return [fault.from, fault.to].some(({ kind }) => kind === "bus" || kind === "gateway");
    case "bus":
      return true;
    default:
      return false;
  }
};

/** What the faults of a plan allow to be otherwise than in a quiet run. */
export const expectationsOf = ({ faults, gateways }: ChaosPlan): Partial<Expectations> => {
  const all = faults.map(({ fault }) => fault);
  const liars = all.flatMap((fault) => (fault.kind === "lie" ? [fault.signer] : []));
  return {
    liars,
    // where other faults end sessions too, what a liar said may never be used
    named: all.every(({ kind }) => kind === "lie") ? liars : [],
    hasBusForgotten: all.some((fault) => fault.kind === "bus" && fault.failure === "forgets"),
    isBusInOrder:
      gateways === 1 && !faults.some(({ fault, start }) => isOfPublishing(fault) || start.kind === "point"),
    // a node that is killed comes back with a state from before it
    hasReorganised: all.some(
      (fault) => (fault.kind === "chain" && fault.failure.kind === "reorganise") || isOfNode(fault),
    ),
  };
};

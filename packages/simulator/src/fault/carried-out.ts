import type { InjectedFault, Place } from "@conclave/chaos";
import { hasLink } from "./link-faults.ts";

const isService = ({ kind }: Place): boolean =>
  kind === "signer" || kind === "orchestrator" || kind === "gateway";

const canEnd = (place: Place): boolean =>
  isService(place) || place.kind === "bus" || place.kind === "database";

/** Whether a simulated cluster can carry out a fault: a world has no lying signers and no second organisation. */
export const isCarriedOut = (fault: InjectedFault): boolean => {
  switch (fault.kind) {
    case "kill":
    case "stop":
      return fault.places.every(canEnd);
    case "pause":
      return fault.places.every(isService);
    case "clock":
      return isService(fault.place) || fault.place.kind === "database";
    case "chain":
      return fault.failure.kind !== "overload";
    case "link":
      return hasLink(fault.from, fault.to);
    case "power":
    case "lose":
    case "disk":
    case "store":
    case "bus":
      return true;
    case "lie":
      return false;
  }
};

import { type InjectedFault, type Place, placeName } from "@conclave/chaos";
import { hasLink } from "./link-faults.ts";

const isService = ({ kind }: Place): boolean =>
  kind === "signer" || kind === "orchestrator" || kind === "gateway";

const canEnd = (place: Place): boolean =>
  isService(place) || place.kind === "bus" || place.kind === "database";

const NO_NODE = "in a world the node of a chain is no process: it cannot be killed or stopped";

/** Why a simulated cluster cannot carry out a fault; undefined where it can. */
export const whyNotCarriedOut = (fault: InjectedFault): string | undefined => {
  switch (fault.kind) {
    case "kill":
    case "stop":
      return fault.places.every(canEnd) ? undefined : NO_NODE;
    case "pause":
      return fault.places.every(isService)
        ? undefined
        : "a world pauses signers, orchestrators and gateways alone";
    case "clock":
      return undefined;
    case "chain":
      return fault.failure.kind === "overload" ? "no organisation of a world overloads a chain" : undefined;
    case "link":
      return hasLink(fault.from, fault.to)
        ? undefined
        : `no process calls another between ${placeName(fault.from)} and ${placeName(fault.to)}`;
    case "power":
    case "lose":
    case "disk":
    case "store":
    case "bus":
      return undefined;
    case "lie":
      return "the signers of a world do not lie";
  }
};

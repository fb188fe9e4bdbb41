import type { ChainFailure, InjectedFault, Place } from "@conclave/chaos";

const CHAIN_FAILURES: readonly ChainFailure["kind"][] = ["reorganise", "forget", "refuse"];

const isService = ({ kind }: Place): boolean => kind === "signer" || kind === "orchestrator";

/** Whether a simulated cluster can carry out a fault: the links, disks, lies and gateways of real processes have no counterpart in it yet. */
export const isCarriedOut = (fault: InjectedFault): boolean => {
  switch (fault.kind) {
    case "kill":
      return fault.places.every(
        (place) => isService(place) || place.kind === "bus" || place.kind === "database",
      );
    case "pause":
      return fault.places.every(isService);
    case "clock":
      return isService(fault.place) || fault.place.kind === "database";
    case "chain":
      return CHAIN_FAILURES.includes(fault.failure.kind);
    case "stop":
    case "link":
    case "disk":
    case "store":
    case "lie":
    case "bus":
      return false;
  }
};

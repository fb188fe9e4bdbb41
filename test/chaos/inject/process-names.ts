import { type Place, placeName } from "@conclave/chaos";

/** The network whose node runs in every cluster of the testbed. */
export const FIRST_NETWORK = "EthereumSepolia";

/** The testbed's process name for a place; the first gateway and orchestrator have no number in it. */
export const processOf = (place: Place): string => {
  switch (place.kind) {
    case "gateway":
    case "orchestrator":
      return place.number === 1 ? place.kind : placeName(place);
    case "node":
      return place.network === FIRST_NETWORK ? "anvil" : `ledger-${place.network}`;
    default:
      return placeName(place);
  }
};

/** A process of the cluster's own code. */
export interface ServicePlace {
  readonly kind: "signer" | "orchestrator" | "gateway";
  readonly number: number;
}

/** A place whose clock can be moved. */
export type ClockPlace = ServicePlace | { readonly kind: "database" };

/** A part of a cluster that faults happen to: a process, or the node of a network. */
export type Place =
  | ClockPlace
  | { readonly kind: "bus" }
  | { readonly kind: "node"; readonly network: string };

/** Whether the clock of a place can be moved. The cluster never uses the time of the bus or of chain nodes. */
export const hasClock = (place: Place): place is ClockPlace => place.kind !== "bus" && place.kind !== "node";

/** Whether a place is a signer or an orchestrator: the processes that a cluster has several of, and can lose some of. */
export const isSparable = (place: Place): boolean => place.kind === "signer" || place.kind === "orchestrator";

const NUMBERED = /^(signer|orchestrator|gateway)-([1-9]\d?)$/;
const NETWORK = /^[A-Z][A-Za-z0-9]*$/;

/** Whether a network may have this name. */
export const isNetworkName = (text: string): boolean => NETWORK.test(text);

/**
 * Reads the name of a place: signer-1, orchestrator-2, gateway-1, nats, postgres, or a network. @returns undefined for
 * any other text
 */
export const readPlace = (text: string): Place | undefined => {
  if (text === "nats") return { kind: "bus" };
  if (text === "postgres") return { kind: "database" };
  const [, kind, number] = NUMBERED.exec(text) ?? [];
  if (kind === "signer" || kind === "orchestrator" || kind === "gateway")
    return { kind, number: Number(number) };
  return isNetworkName(text) ? { kind: "node", network: text } : undefined;
};

/** The name of a place, as `readPlace` reads it. */
export const placeName = (place: Place): string => {
  switch (place.kind) {
    case "bus":
      return "nats";
    case "database":
      return "postgres";
    case "node":
      return place.network;
    default:
      return `${place.kind}-${place.number}`;
  }
};

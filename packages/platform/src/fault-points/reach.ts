import type { FaultPoint } from "./points.ts";

let heard: (point: FaultPoint) => void = () => undefined;

/**
 * Reports that this process has reached a point. Code calls it only in statements with the label FAULT, which
 * scripts/bundle.sh removes from shipped code; run from source, it does nothing until a test sets a listener.
 */
export const reach = (point: FaultPoint): void => heard(point);

/** @param hear called at every point that this process reaches from now on, before execution goes on */
export const hearFaultPoints = (hear: (point: FaultPoint) => void): void => {
  heard = hear;
};

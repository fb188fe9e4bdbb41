import type { FaultPoint } from "./points.ts";

let heard: (point: FaultPoint) => void = () => undefined;

/**
 * Says that this process has come to a point. Code calls it in statements with the label FAULT only, which scripts/bundle.sh leaves
 * out of what is shipped; from source it does nothing until somebody hears it.
 */
export const reach = (point: FaultPoint): void => heard(point);

/** @param hear called at every point of this process from now on, before anything else happens */
export const hearFaultPoints = (hear: (point: FaultPoint) => void): void => {
  heard = hear;
};

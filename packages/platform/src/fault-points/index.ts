export { FAULT_POINTS, type FaultPoint } from "./points.ts";
export { hearFaultPoints, reach } from "./reach.ts";

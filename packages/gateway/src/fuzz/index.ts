export { CALLED_CONTRACT, COSTLY_BODIES, type CostlyBody, type CostlyWallet } from "./costly-bodies.ts";
export { LARGEST_BODY_BYTES, largestBodies } from "./largest-bodies.ts";
export { type FuzzedOperation, operationsOf } from "./operations.ts";

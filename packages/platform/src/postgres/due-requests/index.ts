export * from "./claim.ts";
export * from "./due-request.ts";
export * from "./lock-claim.ts";
export * from "./parked.ts";
export * from "./release.ts";
export * from "./waiting.ts";

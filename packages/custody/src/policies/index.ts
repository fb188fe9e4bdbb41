export * from "./activity.ts";
export * from "./approval.ts";
export * from "./effects.ts";
export * from "./evaluation.ts";
export * from "./fiat.ts";
export * from "./policy.ts";
export * from "./policy-body.ts";
export * from "./prices.ts";

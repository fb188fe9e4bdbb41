export * from "./action-token.ts";
export * from "./challenge-token.ts";
export { type Caller, callerSchema } from "./claims.ts";
export * from "./issue.ts";
export * from "./verify.ts";

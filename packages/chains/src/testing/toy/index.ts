export * from "./chain.ts";
export * from "./family.ts";
export * from "./network.ts";
export * from "./node.ts";

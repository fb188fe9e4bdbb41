export * from "./health.ts";
export * from "./logger.ts";
export * from "./metrics.ts";
export * from "./silent-nodes.ts";
export * from "./unreadable-records.ts";

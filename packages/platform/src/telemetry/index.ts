export * from "./counted-event.ts";
export * from "./counted-events.ts";
export * from "./health.ts";
export * from "./logger.ts";
export * from "./metrics.ts";
export * from "./silent-nodes.ts";

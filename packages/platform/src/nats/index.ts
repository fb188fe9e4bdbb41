export * from "./bus.ts";
export { EVENTS_DEFAULTS, type EventStorage } from "./streams.ts";

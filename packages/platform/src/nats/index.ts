export * from "./bus.ts";
export type { BusMessage, Disposition, RunningConsumer, WorkOptions } from "./consumer.ts";

export * from "./bus.ts";
export type { Delivery, Disposition, Work, WorkOptions } from "./consumer.ts";

export { openProcessWorld, type ProcessWorld, type ProcessWorldOptions } from "./time/process-world.ts";
export { type Entry, Scheduler } from "./time/scheduler.ts";

export { ComputePool, type ComputePoolOptions, type WorkerEntry } from "./pool.ts";

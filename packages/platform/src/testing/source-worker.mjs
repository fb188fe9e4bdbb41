// Loads the compute worker from source: Node has no hook for TypeScript in a worker's own start.
import { register } from "tsx/esm/api";

register();
await import("../compute/worker.ts");

export { inlineCompute } from "./inline-compute.ts";
export { MemoryNetwork } from "./memory-network.ts";
export { memorySigner } from "./memory-signer.ts";
export { type FindWay, OPEN_WAY, type Way } from "./way.ts";

export { inlineCompute } from "./inline-compute.ts";
export { MemoryNetwork } from "./memory-network.ts";
export { memorySigner } from "./memory-signer.ts";

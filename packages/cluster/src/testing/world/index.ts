export { describeWorld } from "./conformance.ts";
export { openVirtualWorld, type VirtualWorld } from "./virtual-world.ts";

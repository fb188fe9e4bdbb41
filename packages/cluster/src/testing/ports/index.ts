export { describeSignerLink } from "./link-conformance.ts";
export { openVirtualWorld, type VirtualWorld } from "./virtual-world.ts";
export { describeWorld } from "./world-conformance.ts";

export { type Engine, realEngine } from "../engine.ts";
export { tinyEngine } from "../tiny-engine.ts";
export { describeSignerLink } from "./link-conformance.ts";
export { type ScriptedEffect, scriptedMachine } from "./scripted-machine.ts";
export { openVirtualWorld, type VirtualWorld } from "./virtual-world.ts";
export { describeWorld } from "./world-conformance.ts";

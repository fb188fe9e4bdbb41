export { type Computed, compute, drop, type Host, openHost } from "./compute/host.ts";
export * from "./compute/task.ts";
export {
  decodeHostConfig,
  decodeResult,
  decodeTask,
  encodeHostConfig,
  encodeResult,
  encodeTask,
} from "./compute/wire.ts";
export * from "./coordinator/effect.ts";
export * from "./coordinator/event.ts";
export * from "./signer/effect.ts";
export * from "./signer/event.ts";

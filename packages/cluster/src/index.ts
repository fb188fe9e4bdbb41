export * from "./compute/task.ts";
export * from "./coordinator/effect.ts";
export * from "./coordinator/event.ts";
export * from "./signer/effect.ts";
export * from "./signer/event.ts";

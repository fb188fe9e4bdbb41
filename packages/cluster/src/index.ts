export * from "./compute/task.ts";
export * from "./signer/effect.ts";
export * from "./signer/event.ts";

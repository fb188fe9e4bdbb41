export * from "./certificates/index.ts";
export * from "./config/index.ts";
export * from "./fresh-id.ts";
export * from "./nats/index.ts";
export * from "./outage.ts";
export * from "./postgres/index.ts";
export * from "./telemetry/index.ts";
export * from "./tokens/index.ts";

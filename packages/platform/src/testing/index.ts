export * from "./free-port.ts";
export * from "./lying-worker.ts";
export * from "./nats-server.ts";
export * from "./orchestrator-login.ts";
export * from "./postgres-server.ts";
export { freshDatabase } from "./shared-postgres.ts";
export * from "./silent-proxy.ts";
export * from "./source-search.ts";
export * from "./source-worker.ts";

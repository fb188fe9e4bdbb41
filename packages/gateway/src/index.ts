export { makeApplication } from "./application.ts";
export { type GatewayConfig, readConfig } from "./config.ts";
export type { Dependencies } from "./dependencies.ts";
export { startGateway } from "./gateway.ts";

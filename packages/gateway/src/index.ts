export { makeApplication } from "./application.ts";
export { type GatewayConfig, readGatewayConfig } from "./config.ts";
export type { Dependencies } from "./dependencies.ts";
export { startGateway } from "./gateway.ts";
export { readExport } from "./key-passage/export-request.ts";
export { readImport } from "./key-passage/import-request.ts";

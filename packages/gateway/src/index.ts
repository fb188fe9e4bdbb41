export { makeApplication } from "./application.ts";
export { type AssembledGateway, assembleGateway } from "./assembly/assemble-gateway.ts";
export type { GatewayParts } from "./assembly/parts.ts";
export { type GatewayConfig, readGatewayConfig } from "./config.ts";
export type { Dependencies } from "./dependencies.ts";
export { startGateway } from "./gateway.ts";
export { readExport } from "./key-passage/export-request.ts";
export { readImport } from "./key-passage/import-request.ts";

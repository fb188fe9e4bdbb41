export type { Signer } from "@conclave/platform/coordination";
export { type AssembledOrchestrator, assembleOrchestrator } from "./assembly/assemble-orchestrator.ts";
export type { AssembledParts } from "./assembly/core.ts";
export { type OrchestratorConfig, readOrchestratorConfig } from "./config.ts";
export { connectSigners } from "./connect-signers.ts";
export { exportedShares } from "./keys/exported-shares.ts";
export { type Orchestrator, type OrchestratorParts, startOrchestrator } from "./orchestrator.ts";

export type { Signer } from "@conclave/platform/coordination";
export { type OrchestratorConfig, readOrchestratorConfig } from "./config.ts";
export { connectSigners } from "./connect-signers.ts";
export { exportedShares } from "./keys/exported-shares.ts";
export { type Orchestrator, type OrchestratorParts, startOrchestrator } from "./orchestrator.ts";

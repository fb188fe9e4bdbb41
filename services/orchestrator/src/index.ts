export { type OrchestratorConfig, readConfig } from "./config.ts";
export { type Orchestrator, type OrchestratorParts, startOrchestrator } from "./orchestrator.ts";
export type { Signer } from "./signer.ts";

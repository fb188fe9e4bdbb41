// What a program needs that does not run a cluster itself, but has another process do it, or looks at one: it is there at
// once, the rest takes most of a second to load.
export { readDescription } from "./description.ts";
export { isAlive, signalProcess } from "./host/process-identity.ts";
export { waitUntil } from "./host/wait-until.ts";
export { LaunchError } from "./launch-error.ts";
export { readSigners, type SignerCondition, stateOf } from "./orchestrator-status.ts";
export { repositoryRoot } from "./parts/service.ts";
export { forgetState } from "./state/forget-state.ts";
export { stateLayout } from "./state/layout.ts";
export { ProcessTable } from "./state/process-table.ts";

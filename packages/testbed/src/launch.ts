// For programs that do not run a cluster themselves: another process runs it, or they only read its state. These
// modules load fast; the rest of the package takes most of a second.
export { clustersFolder, programVersion, repositoryRoot } from "./host/installation.ts";
export { isAlive, signalProcess } from "./host/process-identity.ts";
export { typedAbout, typedByName, typedCommand } from "./host/typed-command.ts";
export { waitUntil } from "./host/wait-until.ts";
export { LaunchError } from "./launch-error.ts";
export {
  countedStages,
  readOrchestrator,
  readSigners,
  type SignerCondition,
  stateOf,
} from "./orchestrator-status.ts";
export { giveOrder } from "./orders/give-order.ts";
export type { Order } from "./orders/order.ts";
export { listSnapshots } from "./snapshots/list.ts";
export { isSnapshotName } from "./snapshots/places.ts";
export { requireRestorable, restoreSnapshot } from "./snapshots/put-back.ts";
export { deleteSnapshot, takeSnapshot } from "./snapshots/take.ts";
export { forgetState } from "./state/forget-state.ts";
export { type StateLayout, stateLayout } from "./state/layout.ts";
export { type EndedProcess, otherWork, ProcessTable } from "./state/process-table.ts";
export { describedSchema, readDescription } from "./state/read-description.ts";
export { TOKEN_KINDS } from "./tokens/token-kinds.ts";

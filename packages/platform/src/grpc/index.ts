export { fromCommand, type SessionCommand } from "./command.ts";
export { everyKey, heldKey } from "./every-key.ts";
export type { Admission } from "./gate.ts";
export type {
  Command__Output,
  ControlHandlers,
  DeliverReply,
  DeliverRequest__Output,
  PeerHandlers,
  StatusReply,
  StatusRequest__Output,
} from "./generated/proto.gen.ts";
export { HealthService } from "./health.ts";
export type { HealthWatch } from "./health-watch.ts";
export { fromKeysRequest, type HeldKeyState, toKeysReply } from "./held-keys.ts";
export { withKeyLists } from "./older-key-lists.ts";
export { olderServices } from "./older-version.ts";
export { type DropReason, PeerClient } from "./peer-client.ts";
export { toListReply } from "./presignature-list.ts";
export { toStatus } from "./problem-status.ts";
export { CONTROL, HEALTH, PEER } from "./proto.ts";
export { type StreamReport, toReport } from "./report.ts";
export { type RunningServer, type ServedService, serve } from "./server.ts";
export { type SessionCall, type SessionListener, type SignerAddress, SignerClient } from "./signer-client.ts";
export { type KeyAnswer, type SignerStatus, toStatusReply } from "./signer-status.ts";
export { ENVELOPE_BYTES_MAX, ENVELOPES_PER_REQUEST_MAX, RECEIVE_BYTES_MAX } from "./transport.ts";

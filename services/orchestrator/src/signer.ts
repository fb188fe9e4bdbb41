import type { SignerClient } from "@conclave/platform/grpc";

/** What the orchestrator needs of a signer: the gRPC client in a process, a value of their own in tests. */
export type Signer = Pick<
  SignerClient,
  "index" | "begin" | "activateKey" | "discardKey" | "getStatus" | "watchHealth" | "close"
>;

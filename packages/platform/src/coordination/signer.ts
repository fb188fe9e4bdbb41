import type { SignerClient } from "../grpc/index.ts";

/** What the orchestrator needs of a signer: the gRPC client in a process, a value of their own in tests. */
export interface Signer
  extends Pick<
    SignerClient,
    | "index"
    | "begin"
    | "activateKey"
    | "attestKey"
    | "discardKey"
    | "discardPresignatures"
    | "listPresignatures"
    | "getStatus"
    | "close"
  > {
  /** Tells whether the signer serves: at once, and at each change, until closed. */
  watchHealth(changed: (isServing: boolean) => void): { close(): void };
}

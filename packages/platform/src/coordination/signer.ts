import type { SignerClient } from "../grpc/index.ts";

/** The calls that the orchestrator makes to a signer. In a process this is the gRPC client; tests supply their own. */
export interface Signer
  extends Pick<
    SignerClient,
    | "index"
    | "begin"
    | "activateKey"
    | "attestKey"
    | "discardKey"
    | "switchEpoch"
    | "getCertificate"
    | "getKeyInfo"
    | "discardPresignatures"
    | "listPresignatures"
    | "getSigned"
    | "getStatus"
    | "listKeys"
    | "close"
  > {
  /** Reports whether the signer serves: at once, and at every change, until closed. */
  watchHealth(changed: (isServing: boolean) => void): { close(): void };
}

import type { SignerStatus } from "../../grpc/index.ts";

/** The status of an idle signer with auxiliary information, without its identity and life. */
export const IDLE_STATUS: Omit<SignerStatus, "index" | "id" | "life"> = {
  state: "ready",
  parameters: "INSECURE-TEST",
  auxiliaryEpoch: 1,
  auxiliaryDigest: new Uint8Array(32),
  pendingAuxiliary: [],
  keyCount: 0,
  keysToRefresh: 0,
  sessions: [],
  cpuMicroseconds: 0,
  residentBytes: 0,
  connectedPeers: [],
  quarantined: [],
  clockMs: undefined,
  pool: {
    ready: 0,
    reserved: 0,
    stored: 0,
    consumed: 0,
    burnt: 0,
    expired: 0,
    refused: 0,
    reused: 0,
    rolledBack: 0,
  },
};

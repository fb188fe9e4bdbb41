import type { LedgerJson } from "../json.ts";

/** A refusal, as a JSON-RPC error of a node. @source Solana documentation, RPC: error codes */
export interface AgaveRefusal {
  readonly code: number;
  readonly message: string;
  readonly data?: LedgerJson;
}

export const AGAVE_CODES = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  blockCleanedUp: -32_001,
  preflight: -32_002,
  signature: -32_003,
  blockNotAvailable: -32_004,
  unhealthy: -32_005,
  slotSkipped: -32_007,
  minContextSlot: -32_016,
  unsupportedVersion: -32_015,
} as const;

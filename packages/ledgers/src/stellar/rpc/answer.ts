import type { LedgerJson } from "../../json.ts";

/** The answer of a Stellar RPC method: a result, or a JSON-RPC error. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: LedgerJson }
  | { readonly ok: false; readonly code: number; readonly message: string };

export const rpcResult = (result: LedgerJson): RpcAnswer => ({ ok: true, result });

const INVALID_PARAMETERS = -32602;

export const wrongParameters = (message: string): RpcAnswer => ({
  ok: false,
  code: INVALID_PARAMETERS,
  message,
});

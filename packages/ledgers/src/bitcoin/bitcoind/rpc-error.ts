import type { BitcoindRefusal } from "../submission.ts";

/** JSON-RPC error codes. @source Bitcoin Core, src/rpc/protocol.h */
export const RPC_CODES = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  parse: -32700,
  misc: -1,
  type: -3,
  invalidAddressOrKey: -5,
  invalidParameter: -8,
  deserialization: -22,
  inWarmup: -28,
} as const;

/** A zod issue that carries a parameter's own refusal; the RPC error code is in the issue's params. */
export const rpcIssue = (code: number, message: string) =>
  ({ code: "custom", message, params: { rpcCode: code } }) as const;

/** @returns undefined if the issue is zod's own */
export const refusalOfIssue = (issue: {
  readonly message: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}): BitcoindRefusal | undefined => {
  const code = issue.params?.["rpcCode"];
  return typeof code === "number" ? { code, message: issue.message } : undefined;
};

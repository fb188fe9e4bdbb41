import type { LedgerJson } from "../../json.ts";

/** Request errors, with rippled's names, numbers and messages. @source rippled, src/libxrpl/protocol/ErrorCodes.cpp */
const RIPPLED_ERRORS = {
  noEvents: [7, "Current transport does not support events."],
  tooBusy: [9, "The server is too busy to help you now."],
  slowDown: [10, "You are placing too much load on the server."],
  noCurrent: [16, "Current ledger is unavailable."],
  noNetwork: [17, "Not synced to the network."],
  notSynced: [18, "Not synced to the network."],
  actNotFound: [19, "Account not found."],
  lgrNotFound: [21, "Ledger not found."],
  txnNotFound: [29, "Transaction not found."],
  invalidParams: [31, "Invalid parameters."],
  unknownCmd: [32, "Unknown method."],
  actMalformed: [35, "Account malformed."],
  lgrIdxsInvalid: [57, "Ledger indexes invalid."],
  lgrIdxMalformed: [58, "Ledger index malformed."],
  malformedStream: [71, "Stream malformed."],
  internal: [73, "Internal error."],
  notImpl: [74, "Not implemented."],
  notSupported: [75, "Operation not supported."],
  excessiveLgrRange: [78, "Ledger range exceeds 1000."],
  invalidLgrRange: [79, "Ledger range is invalid."],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

export type RippledErrorName = keyof typeof RIPPLED_ERRORS;

export const RIPPLED_ERROR_NAMES = Object.keys(RIPPLED_ERRORS);

const isErrorName = (text: string): text is RippledErrorName => Object.hasOwn(RIPPLED_ERRORS, text);

export type RippledJson = Readonly<Record<string, LedgerJson>>;

/** The answer to a request, over HTTP or WebSocket. */
export type RippledAnswer =
  | { readonly ok: true; readonly result: RippledJson }
  | { readonly ok: false; readonly error: RippledJson };

export const answered = (result: RippledJson): RippledAnswer => ({ ok: true, result });

/**
 * @param message replaces the error's usual message
 * @param besides further members of the answer
 */
export const failed = (
  name: RippledErrorName,
  message?: string,
  besides: RippledJson = {},
): RippledAnswer => {
  const [code, words] = RIPPLED_ERRORS[name];
  return {
    ok: false,
    error: { ...besides, error: name, error_code: code, error_message: message ?? words },
  };
};

/** An error with a name that an operator chose. */
export const failedByName = (name: string): RippledAnswer =>
  isErrorName(name) ? failed(name) : failed("internal", name);

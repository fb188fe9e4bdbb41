import { jsonResponse } from "../../http/json-response.ts";
import type { LedgerJson } from "../../json.ts";

const TYPES = "https://stellar.org/horizon-errors/";

/** Horizon's errors. @source stellar/go, support/render/problem, services/horizon/internal/render/problem */
const PROBLEMS = {
  bad_request: { status: 400, title: "Bad Request", detail: "The request you sent was invalid in some way." },
  transaction_malformed: {
    status: 400,
    title: "Transaction Malformed",
    detail:
      "Horizon could not decode the transaction envelope in this request. A transaction should be an XDR TransactionEnvelope " +
      "struct encoded using base64.  The envelope read from this request is echoed in the `extras.envelope_xdr` field of this " +
      "response for your convenience.",
  },
  transaction_failed: {
    status: 400,
    title: "Transaction Failed",
    detail:
      "The transaction failed when submitted to the stellar network. The `extras.result_codes` field on this response " +
      "contains further details.  Descriptions of each code can be found at: " +
      "https://developers.stellar.org/api/errors/http-status-codes/horizon-specific/transaction-failed/",
  },
  not_found: {
    status: 404,
    title: "Resource Missing",
    detail:
      "The resource at the url requested was not found.  This usually occurs for one of two reasons:  The url requested is " +
      "not valid, or no data in our database could be found with the parameters provided.",
  },
  before_history: {
    status: 410,
    title: "Data Requested Is Before Recorded History",
    detail:
      "This horizon instance is configured to only track a portion of the stellar network's latest history. This request is " +
      "asking for results prior to the recorded history known to this horizon instance.",
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported Media Type",
    detail:
      "The request has an unsupported content type. Presently, the only supported content type is " +
      "application/x-www-form-urlencoded.",
  },
  server_over_capacity: {
    status: 503,
    title: "Server Over Capacity",
    detail:
      "This horizon server is currently overloaded. Please wait for several minutes before trying your request again.",
  },
  timeout: {
    status: 504,
    title: "Timeout",
    detail:
      "Your request timed out before completing. Please try your request again. If you are submitting a transaction make " +
      "sure you are sending exactly the same transaction (with the same sequence number).",
  },
} as const;

/** @param extras Horizon's further members */
export const horizonProblem = (name: keyof typeof PROBLEMS, extras?: LedgerJson): Response => {
  const { status, title, detail } = PROBLEMS[name];
  return jsonResponse({ type: `${TYPES}${name}`, title, status, detail, extras }, status);
};

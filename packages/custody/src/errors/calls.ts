import { refusal } from "./descriptor.ts";

/** Errors of a call itself, in any operation. */
export const CALL_ERRORS = {
  InvalidBody: refusal(
    400,
    "The request body is not valid.",
    "Correct each field that details.issues names, and send the request again.",
  ),
  InvalidJson: refusal(
    400,
    "The request body is not JSON.",
    "Send a JSON object with content-type application/json.",
  ),
  InvalidParameter: refusal(
    400,
    "A path or query parameter is not valid.",
    "Correct each parameter that details.issues names, and send the request again.",
  ),
  UnsupportedContentType: refusal(
    415,
    "The content type is not supported.",
    "Send content-type application/json.",
  ),
  OperationNotServed: refusal(
    501,
    "This service does not serve the operation.",
    "Choose an operation that docs/api.md lists: details.reason says why this one is not served.",
  ),
  BodyTooLarge: refusal(413, "The request body is too large.", "Send at most 1 MiB."),
  TokenMissing: refusal(401, "user token is missing or invalid", "Send authorization: Bearer <token>."),
  TokenInvalid: refusal(401, "user token is missing or invalid", "Use a token issued by this cluster."),
  TokenExpired: refusal(401, "user token has expired", "Ask for a fresh token."),
  UserActionInvalid: refusal(
    403,
    "user action signature is missing or invalid",
    "Sign the action: POST /auth/action/init, then POST /auth/action, then send x-dfns-useraction. Of an action of your own, details.differs says in what the request is another one.",
  ),
  UserActionUsed: refusal(
    400,
    "user action has already been used",
    "Sign a fresh user action for each request.",
  ),
  ChallengeInvalid: refusal(
    400,
    "Challenge token is not valid.",
    "Ask for a fresh challenge where this one should have come from: see details.startAgain.",
  ),
  MalformedRequest: refusal(
    400,
    "The request is not well-formed HTTP.",
    "Send HTTP/1.1 with a host header and a path, and see details.reason.",
  ),
  RequestTooSlow: refusal(408, "The request did not arrive in time.", "Send it again, at once and whole."),
  HeadersTooLarge: refusal(431, "The request's headers are too large.", "Send at most 16 KiB of headers."),
  OriginNotAllowed: refusal(
    403,
    "Pages of this origin may not call this gateway.",
    "Have the operator name the origin in CONCLAVE_CORS_ORIGINS of the gateway.",
  ),
  NonceInvalid: refusal(
    400,
    "request nonce is missing or invalid",
    "Send x-dfns-nonce: base64url of {uuid, date} with a fresh uuid and the present date, or leave it out.",
  ),
  NonceReplayed: refusal(
    400,
    "request nonce has already been used",
    "Send a fresh x-dfns-nonce with each request.",
  ),
  RateLimited: refusal(
    429,
    "The organisation sends too many requests.",
    "Wait as many seconds as the header retry-after says.",
  ),
  TooManyReindexings: refusal(
    429,
    "The organisation has named as many transactions to index again as it may for now.",
    "Wait as many seconds as the header retry-after says.",
  ),
  TooManyAtOnce: refusal(
    429,
    "The organisation, or the address from which somebody signs in, has too many requests under way at a time.",
    "Wait as many seconds as the header retry-after says, and send fewer at a time.",
  ),
  NotFound: refusal(
    404,
    "There is nothing at this path.",
    "Choose an operation of the list in /openapi.json.",
  ),
  MethodNotAllowed: refusal(
    405,
    "This path does not serve this method.",
    "Choose one of the path's methods in /openapi.json.",
  ),
  ExternalIdConflict: refusal(
    409,
    "Conflicting request with same externalId",
    "Use a new externalId, or repeat the very same request.",
  ),
  PaginationTokenInvalid: refusal(
    400,
    "The pagination token is not valid.",
    "Use nextPageToken as it was answered.",
  ),
} as const;

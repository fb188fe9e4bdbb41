/**
 * The one table of errors. HTTP, gRPC and the CLI render it; nothing else invents codes.
 * A refusal is the caller's to mend, an outage passes, a fault is a peer that cheated.
 */
export interface ErrorDescriptor {
  readonly kind: "refusal" | "outage" | "fault" | "internal";
  /** HTTP status */
  readonly status: number;
  readonly message: string;
  readonly remedy: string;
}

const refusal = (status: number, message: string, remedy: string) =>
  ({ kind: "refusal", status, message, remedy }) as const;
const outage = (status: number, message: string, remedy: string) =>
  ({ kind: "outage", status, message, remedy }) as const;

export const ERRORS = {
  // requests
  InvalidBody: refusal(400, "The request body is not valid.", "See details.issues for each field."),
  InvalidJson: refusal(
    400,
    "The request body is not JSON.",
    "Send a JSON object with content-type application/json.",
  ),
  InvalidParameter: refusal(400, "A path or query parameter is not valid.", "See details.issues."),
  UnsupportedContentType: refusal(
    415,
    "The content type is not supported.",
    "Send content-type application/json.",
  ),
  BodyTooLarge: refusal(413, "The request body is too large.", "Send at most 1 MiB."),
  TokenMissing: refusal(401, "user token is missing or invalid", "Send authorization: Bearer <token>."),
  TokenInvalid: refusal(401, "user token is missing or invalid", "Use a token issued by this cluster."),
  TokenExpired: refusal(401, "user token has expired", "Ask for a fresh token."),
  UserActionInvalid: refusal(
    403,
    "user action signature is missing or invalid",
    "Sign the action: POST /auth/action/init, then POST /auth/action, then send x-dfns-useraction.",
  ),
  UserActionUsed: refusal(
    400,
    "user action has already been used",
    "Sign a fresh user action for each request.",
  ),
  PermissionMissing: refusal(
    403,
    "The caller is not authorized to perform this operation.",
    "Assign a permission that lists the operation in details.operation.",
  ),
  ChallengeInvalid: refusal(400, "Challenge token is not valid.", "Start again with POST /auth/action/init."),
  PermissionNotFound: refusal(404, "permission not found", "List permissions with GET /permissions."),
  PermissionNameTaken: refusal(
    409,
    "Another permission has this name.",
    "Choose another name, or change that one.",
  ),
  PermissionImmutable: refusal(
    409,
    "The service made this permission; nobody changes or archives it.",
    "Create a permission of your own.",
  ),
  PermissionArchived: refusal(409, "The permission is archived.", "Take it back first, or use another one."),
  IdentityNotFound: refusal(
    404,
    "identity not found",
    "Name a user, a service account, a token or an application of your organisation.",
  ),
  AssignmentNotFound: refusal(
    404,
    "assignment not found",
    "List assignments with GET /permissions/{permissionId}/assignments.",
  ),
  AdministratorNeeded: refusal(
    409,
    "An organisation needs one administrator at least.",
    "Assign the permission to somebody else first.",
  ),
  AssignmentImmutable: refusal(
    409,
    "The service made this assignment; nobody revokes it.",
    "Revoke another one.",
  ),
  WebhookNotFound: refusal(404, "webhook not found", "List webhooks with GET /webhooks."),
  WebhookEventNotFound: refusal(
    404,
    "webhook event not found",
    "List events with GET /webhooks/{webhookId}/events; they are kept for 31 days.",
  ),
  WebhookLimitReached: refusal(
    409,
    "The organisation has as many webhooks as it may.",
    "Delete one, or change one of those that are there.",
  ),
  WebhookTargetPrivate: refusal(
    400,
    "The webhook's URL leads to a private address.",
    "Use a public address, or set CONCLAVE_PRIVATE_WEBHOOKS=allowed on gateway and orchestrator.",
  ),
  RateLimited: refusal(
    429,
    "The organisation sends too many requests.",
    "Wait as many seconds as the header retry-after says.",
  ),
  NotFound: refusal(404, "There is nothing at this path.", "See the list of operations in /openapi.json."),
  MethodNotAllowed: refusal(405, "This path does not serve this method.", "See /openapi.json."),
  WalletNotFound: refusal(404, "wallet not found", "List your wallets with GET /wallets."),
  PolicyNotFound: refusal(404, "policy not found", "List your policies with GET /v2/policies."),
  ApproverUnknown: refusal(
    400,
    "An approver is not a user of the organisation.",
    "Use the ids that GET /auth/users and GET /auth/service-accounts list; details.userIds are not among them.",
  ),
  PolicyBlocked: refusal(403, "A policy blocks this.", "See details.reason, or have the policy changed."),
  PolicyArchived: refusal(409, "The policy is archived.", "Create a new policy."),
  ApprovalNotFound: refusal(404, "approval not found", "List approvals with GET /v2/policy-approvals."),
  ApprovalSettled: refusal(409, "The approval is settled.", "Read the approval and its status."),
  ApprovalSpoken: refusal(409, "You have decided on this approval before.", "Nobody decides twice."),
  ApprovalNotAllowed: refusal(
    403,
    "You are not among those who may decide on this approval.",
    "See its approvalGroups: who started a request, and service accounts, take part only in groups that allow it.",
  ),
  ChangeRequestPending: refusal(
    409,
    "A change of this waits for its approval.",
    "Settle the approval in details.approvalId first.",
  ),
  ChangeRequestSettled: refusal(409, "The change request is settled.", "Ask for the change anew."),
  TransferNotFound: refusal(
    404,
    "transfer not found",
    "List transfers with GET /wallets/{walletId}/transfers.",
  ),
  KeyNotFound: refusal(404, "key not found", "List your keys with GET /keys."),
  KeyFormatNotSupported: refusal(
    400,
    "Keys of this scheme and curve are not made here.",
    "Use one of the formats in details.formats.",
  ),
  KeyFormatMismatch: refusal(
    400,
    "Wallets of this network do not sign with keys of this scheme and curve.",
    "Use one of the formats in details.formats, or leave scheme and curve out.",
  ),
  KeyDerivationNotSupported: refusal(
    400,
    "Keys are not derived from one another here.",
    "Leave masterKey and deriveFrom out: every key is made by the signers for itself.",
  ),
  KeyStoreUnknown: refusal(400, "There is no such key store.", "Leave storeId out, or see GET /key-stores."),
  KeyOptionsMismatch: refusal(
    400,
    "The key is there already, and is not as the request says.",
    "Beside signingKey.id, leave the options of new keys out.",
  ),
  KeyNetworkTaken: refusal(
    409,
    "The key has a wallet on this network already.",
    "Use the wallet in details.duplicate, or another key.",
  ),
  KeyNotDelegable: refusal(
    409,
    "The key was not made to be delegated, or is an end user's already.",
    "Create it with delayDelegation: true, or with delegateTo.",
  ),
  KeyDelegated: refusal(
    403,
    "The key is an end user's: nobody else uses it.",
    "Let the user in details.delegatedTo do it.",
  ),
  DelegateUnknown: refusal(
    400,
    "There is no such active end user in the organisation.",
    "Name a user of the kind EndUser.",
  ),
  TagsTooMany: refusal(400, "The wallet would have too many tags.", "Remove some first, with DELETE."),
  NetworkWithoutAddress: refusal(
    400,
    "This network has no chain: its wallets have no address and make signatures only.",
    "Use a wallet of a chain.",
  ),
  NetworkUnknown: refusal(400, "The network is not known.", "Use one of the networks in details.networks."),
  NetworkNotEnabled: refusal(
    400,
    "The network is known, but this cluster does not serve it.",
    "Use one of the networks in details.networks, or add it to the cluster's networks file.",
  ),
  TransferKindNotSupported: refusal(
    400,
    "This kind of transfer does not exist on the wallet's network.",
    "Use one of the kinds in details.kinds.",
  ),
  AddressInvalid: refusal(
    400,
    "The address is not valid on this network.",
    "Check its length and characters.",
  ),
  AddressChecksum: refusal(
    400,
    "The address has a wrong checksum.",
    "Check the address for a typing error, or send it in lower case.",
  ),
  TokenIdInvalid: refusal(
    400,
    "The token id is not an integer.",
    "Send decimal digits as a string, without leading zeros.",
  ),
  AmountInvalid: refusal(
    400,
    "The amount is not a positive integer in the smallest unit of the asset.",
    'Send decimal digits as a string, such as "1000000000000000000" for 1 ETH.',
  ),
  PriorityNotSupported: refusal(400, "This network does not take a priority.", "Leave priority out."),
  MemoNotSupported: refusal(400, "This network does not take a memo.", "Leave memo out."),
  TransactionNotFound: refusal(
    404,
    "transaction not found",
    "List transactions with GET /wallets/{walletId}/transactions.",
  ),
  TransactionKindNotSupported: refusal(
    400,
    "This template of a transaction does not exist on the wallet's network.",
    "Use the templates of the network's family.",
  ),
  TransactionInvalid: refusal(400, "The transaction is not valid.", "See details.field."),
  FeesContradictory: refusal(
    400,
    "maxPriorityFeePerGas is more than maxFeePerGas.",
    "The tip is part of the fee: raise maxFeePerGas, or leave both to the service.",
  ),
  RequestStateInvalid: refusal(
    409,
    "The request is not in a state that allows this.",
    "Read the request and its status.",
  ),
  RequestReplaced: refusal(
    409,
    "The request has been replaced already.",
    "Replace the one that details.replacementId names.",
  ),
  ReplacementUnderpriced: refusal(
    400,
    "The fees are too low to replace the pending transaction.",
    "Raise both fees by 12.5 % or more, or leave them to the service.",
  ),
  NonceUsed: refusal(
    409,
    "The account nonce is used up.",
    "Leave nonce out, or name the one that details.next gives.",
  ),
  NonceGap: refusal(
    409,
    "The account nonce leaves a gap.",
    "Leave nonce out, or name the one that details.next gives: transactions behind a gap never land.",
  ),
  SignatureNotFound: refusal(
    404,
    "signature not found",
    "List signatures with GET /wallets/{walletId}/signatures or GET /keys/{keyId}/signatures.",
  ),
  SignatureKindNotSupported: refusal(
    400,
    "Keys of this scheme, or this network, do not sign this kind.",
    "Use one of the kinds in details.kinds.",
  ),
  SignatureStateInvalid: refusal(
    409,
    "The signature is not in a state that allows this.",
    "Read the signature and its status.",
  ),
  TypedDataInvalid: refusal(
    400,
    "The typed data is not what its types say (EIP-712).",
    "See details.field: each value must be there, be of its type, and be the only one.",
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
  // execution
  InsufficientFunds: refusal(
    422,
    "The wallet does not hold enough for the amount and the fee.",
    "Fund the wallet.",
  ),
  ExecutionReverted: refusal(
    422,
    "The chain refuses the transaction.",
    "See the reason that the chain gave.",
  ),
  FeeAboveCap: refusal(
    422,
    "The fee is above the cap of this network.",
    "Wait for lower fees or raise feeCap.",
  ),
  // signers' refusals
  AuthorisationInvalid: refusal(
    403,
    "The authorisation is not signed by the authority.",
    "Send what the gateway authorised.",
  ),
  TransactionMismatch: refusal(
    403,
    "The transaction does not do what was authorised.",
    "Build the transaction from the authorised request.",
  ),
  TransactionUnreadable: refusal(
    400,
    "The transaction cannot be decoded.",
    "Send the canonical unsigned transaction.",
  ),
  NonceConflict: refusal(
    409,
    "This request was already signed with another account nonce.",
    "A second transaction for one request is refused (INV-4).",
  ),
  SessionReused: refusal(409, "The session id was used before.", "Begin a session under a fresh id (INV-2)."),
  SessionExpired: refusal(400, "The session's deadline has passed.", "Begin a fresh session."),
  QuorumInvalid: refusal(
    400,
    "The quorum is not valid for this cluster.",
    "Name exactly threshold distinct signers.",
  ),
  KeyUnknown: refusal(404, "This signer holds no active share of the key.", "Check the key id."),
  KeySchemeMismatch: refusal(
    409,
    "The key's scheme does not sign this.",
    "ECDSA keys sign transactions, FROST keys sign messages; name the key's own scheme.",
  ),
  KeyExists: refusal(409, "The key id exists already.", "Use a fresh key id."),
  KeyEpochMismatch: refusal(
    409,
    "This signer holds another epoch of the key.",
    "Ask the signers for the epoch and authorise a change of that one.",
  ),
  KeyChangePending: refusal(
    409,
    "This signer holds a share of the key's next epoch that is not active yet.",
    "Finish or discard that change first: conclave refresh or conclave reprovision takes it up.",
  ),
  KeyImportDisabled: refusal(
    403,
    "This signer takes part in no import of a key.",
    "An operator allows it at every signer: set CONCLAVE_KEY_IMPORT=allowed and restart them.",
  ),
  KeyImportUnavailable: refusal(
    409,
    "The cluster's roster has no keys that a client could encrypt shares to.",
    "Provision the cluster with this version: rosters of before do not name them.",
  ),
  KeyImportRefused: refusal(
    400,
    "The encrypted shares are not those of one key for these signers.",
    "See details: shard the key again for exactly the signers that GET /signers lists.",
  ),
  KeyExportDisabled: refusal(
    403,
    "This signer hands out no share of a key.",
    "An operator allows it at a threshold of signers: set CONCLAVE_KEY_EXPORT=allowed and restart them.",
  ),
  KeyExportRefused: refusal(
    409,
    "The key cannot be exported like this.",
    "Ask anew, with a fresh request and a scheme that the key has.",
  ),
  AuxiliaryMissing: outage(
    503,
    "The signers have no auxiliary information yet.",
    "Wait until the cluster is ready.",
  ),
  PresignatureUnknown: refusal(
    404,
    "This signer holds no such presignature ready.",
    "Take another presignature, or sign without one.",
  ),
  PresignatureMismatch: refusal(
    409,
    "The presignature was made for another key, quorum or epoch.",
    "Take one of exactly this key and quorum, or sign without one.",
  ),
  PresignatureSpent: refusal(
    409,
    "The presignature was spent on this digest before.",
    "Take another presignature; one that failed is not tried again (INV-2).",
  ),
  PresignatureReused: refusal(
    409,
    "The presignature was spent on another digest: two would give the key away.",
    "Find out who asked: an honest coordinator never does (INV-2).",
  ),
  RawDigestRefused: refusal(
    403,
    "A digest that the signer did not compute meets no presignature: with one it could sign something else (P7).",
    "Sign a hash without a presignature.",
  ),
  PoolFull: outage(503, "The signer holds as many presignatures as it may.", "Use or discard some first."),
  PoolUnconfirmed: outage(
    503,
    "The signer started just now and its peers have not yet confirmed that its store is the newest.",
    "Sign without a presignature, or try again in a moment.",
  ),
  CallerNotAllowed: refusal(
    403,
    "The certificate's role does not allow this call.",
    "Use the right client certificate.",
  ),
  TooManySessions: outage(503, "The signer runs as many sessions as it may.", "Try again in a moment."),
  // outages
  SignersUnavailable: outage(
    503,
    "Not enough signers are live.",
    "Start the signers named in details.unavailable and try again.",
  ),
  KeyGenerationFailed: outage(503, "The key could not be generated.", "Try again; see details."),
  KeyImportFailed: outage(503, "The key could not be imported.", "Try again; see details."),
  KeyExportFailed: outage(503, "The key could not be exported.", "Try again; see details."),
  KeyChangeFailed: outage(503, "The key's shares could not be changed.", "Try again; see details."),
  ServiceUnavailable: outage(503, "The service cannot answer now.", "Try again in a moment."),
  RequestInProgress: outage(
    503,
    "The request goes on, its result is not known yet.",
    "Read the resource in a moment.",
  ),
  // a process that will not start; these answer no request
  ConfigurationInvalid: refusal(500, "The configuration is not valid.", "See details.issues."),
  PassphraseMissing: refusal(
    500,
    "There is no usable passphrase.",
    "Set CONCLAVE_KEY_FILE to the key file, or CONCLAVE_PASSPHRASE.",
  ),
  PassphraseWrong: refusal(
    500,
    "The passphrase is wrong.",
    "Start with the passphrase or key file with which this was sealed.",
  ),
  CertificateInvalid: refusal(
    500,
    "The certificate cannot be used.",
    "Use the certificate, key and authority that were made for this member.",
  ),
  StoreLocked: outage(
    503,
    "Another process holds the store.",
    "Stop the other process; one signer, one store.",
  ),
  StoreDamaged: refusal(
    500,
    "A sealed record is damaged.",
    "Restore the store from a backup of this signer.",
  ),
  PeerFault: {
    kind: "fault",
    status: 503,
    message: "A signer deviated from the protocol.",
    remedy: "See the evidence.",
  },
  Internal: {
    kind: "internal",
    status: 500,
    message: "Internal Server Error",
    remedy: "Report it with the error id.",
  },
} as const satisfies Readonly<Record<string, ErrorDescriptor>>;

export type ErrorCode = keyof typeof ERRORS;

/** An error as a value: what went wrong, for whom, and what helps. */
export interface Problem {
  readonly code: ErrorCode;
  /** the table's message, or a more exact one */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Makes a problem. `exact` replaces the table's message where more is known; it never holds a secret (INV-10).
 */
export const problem = (
  code: ErrorCode,
  details: Readonly<Record<string, unknown>> = {},
  exact?: string,
): Problem => ({ code, message: exact ?? ERRORS[code].message, details });

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);

/** A value, or the problem that stands in its place. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (
  code: ErrorCode,
  details?: Readonly<Record<string, unknown>>,
  exact?: string,
): Result<never> => ({
  ok: false,
  problem: problem(code, details, exact),
});

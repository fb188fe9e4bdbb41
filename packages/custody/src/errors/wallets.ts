import { refusal } from "./descriptor.ts";

/** Wallets, keys and networks. */
export const WALLET_ERRORS = {
  WalletNotFound: refusal(404, "wallet not found", "List your wallets with GET /wallets."),
  WalletJobNotFound: refusal(404, "There is no such job.", "List the jobs with GET /wallets/bulk-create."),
  WalletJobUnfinished: refusal(
    409,
    "The job has not ended: its wallets are listed once it has.",
    "Read the job with GET /wallets/bulk-create/{jobId} until dateCompleted is there; GET /wallets lists those that are made by now.",
  ),
  TooManyWalletJobs: refusal(
    422,
    "The organisation has as many jobs that make wallets as it may.",
    "Wait until one of them has ended: GET /wallets/bulk-create lists them.",
  ),
  AddressWatchNotFound: refusal(
    404,
    "There is no such address watch.",
    "List the address watches with GET /address-watches.",
  ),
  AddressWatched: refusal(
    409,
    "The organisation watches this address already.",
    "Use the address watch in details.addressWatchId.",
  ),
  TooManyAddressWatches: refusal(
    422,
    "The organisation watches as many addresses as it may.",
    "Delete address watches that are not needed: GET /address-watches lists them.",
  ),
  WatchNotSupported: refusal(
    400,
    "Addresses of this network are not watched: its blocks do not show who paid.",
    "Use one of the networks in details.networks.",
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
  KeyStoreUnknown: refusal(
    400,
    "There is no such key store.",
    "Leave storeId out, or name one that GET /key-stores lists.",
  ),
  KeyOptionsMismatch: refusal(
    400,
    "The key is there already, and is not as the request says.",
    "Leave the options of new keys out where signingKey.id names one that is there.",
  ),
  KeyNetworkTaken: refusal(
    409,
    "The key has a wallet on this network already, or on one where the same signatures are valid.",
    "Use the wallet in details.duplicate, or another key.",
  ),
  KeySignedUnread: refusal(
    409,
    "The key has signed bare hashes: any of them may be a transaction on this network.",
    "Leave signingKey.id out: the wallet gets a key of its own.",
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
  ImportNotActivated: refusal(
    403,
    "Key import is not activated for this organisation.",
    "Have the cluster's operator activate it: conclave import --organisation <its id> --allow.",
  ),
  ExportNotActivated: refusal(
    403,
    "Key export is not activated for this organisation.",
    "Have the cluster's operator activate it: conclave export --organisation <its id> --allow.",
  ),
  KeyNotCustodial: refusal(
    403,
    "The key is an end user's: it is not handed out.",
    "Export keys of the organisation's own alone.",
  ),
  KeyImportDuplicate: refusal(
    409,
    "The organisation has this key already.",
    "Use the key in details.duplicate: one key has one line of account nonces.",
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
  NetworkWithoutContracts: refusal(
    400,
    "Contracts of this network cannot be asked.",
    "Name an EVM network that is served.",
  ),
  NetworkUnknown: refusal(400, "The network is not known.", "Use one of the networks in details.networks."),
  NetworkNotEnabled: refusal(
    400,
    "The network is known, but this cluster does not serve it.",
    "Use one of the networks in details.networks, or add it to the cluster's networks file.",
  ),
} as const;

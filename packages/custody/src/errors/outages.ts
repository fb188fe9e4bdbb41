import { outage } from "./descriptor.ts";

/** Outages: the caller may try again later. */
export const OUTAGES = {
  SignersUnavailable: outage(
    503,
    "Not enough signers are live.",
    "Start the signers named in details.unavailable and try again.",
  ),
  KeyGenerationFailed: outage(
    503,
    "The key could not be generated.",
    "Try again; where it fails again, have the operator look at what details name.",
  ),
  KeyImportFailed: outage(
    503,
    "The key could not be imported.",
    "Try again; where it fails again, have the operator look at what details name.",
  ),
  KeyExportFailed: outage(
    503,
    "The key could not be exported.",
    "Try again; where it fails again, have the operator look at what details name.",
  ),
  KeyChangeFailed: outage(
    503,
    "The key's shares could not be changed.",
    "Try again; where it fails again, have the operator look at what details name.",
  ),
  AuxiliaryFailed: outage(
    503,
    "The auxiliary information could not be renewed.",
    "Repair the signer named in details.reason and try again.",
  ),
  ServiceUnavailable: outage(503, "The service cannot answer now.", "Try again in a moment."),
  IdentityProviderUnavailable: outage(
    503,
    "The organisation's identity provider does not answer as it should.",
    "Try again in a moment; the gateway's log has the reason.",
  ),
  BlockTooLarge: outage(
    503,
    "A chain node tells more of a block than goes through.",
    "Raise the limit of what stands before the node, or name another node in the networks file.",
  ),
  Overloaded: outage(
    503,
    "The gateway has as many requests as it takes at a time; this one was not begun.",
    "Send it again after as many seconds as the header retry-after says.",
  ),
  OutcomeUnknown: outage(
    503,
    "The service stopped answering while the change was stored: it may have been made.",
    "List the resource before you send the change again. With the externalId of the first time it is made once.",
  ),
  ClocksApart: outage(
    503,
    "The clocks of the gateway and of the database are too far apart: nothing is accepted.",
    "Have the operator set the wrong one of the two clocks; the gateway serves again by itself, a second later at the most.",
  ),
  RequestInProgress: outage(
    503,
    "The request goes on, its result is not known yet.",
    "Read the resource in a moment.",
  ),
} as const;

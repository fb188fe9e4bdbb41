/** The introduction of each section of the page, by the section's name, in the order of the page. */
const INTRODUCTIONS: Readonly<Record<string, string>> = {
  Wallets:
    "A wallet is an account on one network. Creating one has the signers generate a key together; `signingKey.id` takes a key that there is.",
  Transfers:
    "A transfer moves one asset to one address. The service asks the chain for nonce and fees, the signers check what they sign, and the answer of `GET` follows it to its confirmation.",
  Transactions:
    "Transactions of your own making: templates on EVM networks, and unsigned bytes on every network. [The guide](/docs/guides/chains#unsigned-bytes) shows how each chain's library makes them.",
  Signatures: "Signatures that are sent nowhere: of messages, typed data, hashes and transactions.",
  "Import and export":
    "Keys that clients bring or take, in encrypted shares. Both are off until the operator switches them on (`conclave import`, `conclave export`).",
  Keys: "A key is held in shares by the signers. One key may have wallets on several networks.",
  Networks: "What transactions cost at this moment.",
  Policies:
    "A policy watches what is signed, or how policies and permissions change, and lets pass, blocks, or asks people. [The guide](/docs/guides/policies) explains them.",
  Approvals:
    "Decisions that policies ask people for. The person who asked may not approve, unless the group says so.",
  Webhooks:
    "URLs that hear of events, signed with a secret and tried again. [The guide](/docs/guides/webhooks) lists the events.",
  Permissions:
    "What people, tokens and applications may do. [The guide](/docs/guides/people) explains who is who.",
  Organisation:
    "What the organisation lets the service do by itself. It does nothing by itself until somebody says so.",
  "User actions":
    "A change may, and in production must, be signed by a credential of its caller: ask for a challenge (`POST /auth/action/init`), sign it, hand it in (`POST /auth/action`), and send the token once as `x-dfns-useraction`.",
  Applications: "Pages and servers of yours on whose behalf people register and act.",
  Credentials: "One's own credentials: authenticators and keys that sign user actions.",
  "Service accounts and tokens": "Accounts of machines, and long-lived tokens of people.",
  Users: "The people of the organisation. [The guide](/docs/guides/people) explains who is who.",
  "Login and registration":
    "How somebody becomes a caller: by an invitation's code, or by the word of your application.",
};

/**
 * The sections of the page: those with an introduction first, in the order of the introductions.
 * @param names of all sections that have operations
 */
export const sectionsOf = (
  names: readonly string[],
): readonly { readonly name: string; readonly description?: string }[] => [
  ...Object.entries(INTRODUCTIONS).map(([name, description]) => ({ name, description })),
  ...names.filter((name) => INTRODUCTIONS[name] === undefined).map((name) => ({ name })),
];

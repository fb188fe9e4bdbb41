import {
  type FamilyTable,
  fail,
  familyOf,
  type KeyId,
  type Network,
  ok,
  type Result,
} from "@conclave/custody";
import { type Connection, hasSignedDigest, listWalletsOfKey } from "@conclave/platform";

const DIGEST_BYTES = 32;

/** The networks on which a key has wallets, and the one that a request names. */
export const networksOfKey = async (
  connection: Connection,
  { keyId, network }: { readonly keyId: KeyId; readonly network: Network | undefined },
): Promise<readonly Network[]> => {
  const wallets = await listWalletsOfKey(connection, keyId);
  return [...wallets.map((wallet) => wallet.network), ...(network === undefined ? [] : [network])];
};

/**
 * Judges whether a key may have a wallet on a network where content that it signed unread before may count as consent.
 * @returns KeySignedUnread
 */
export const judgeSignedBefore = async (
  families: FamilyTable,
  connection: Connection,
  keyId: KeyId,
  network: Network,
): Promise<Result<void>> => {
  const takes = families.find(familyOf(network))?.mayTakeForConsent?.(new Uint8Array(DIGEST_BYTES));
  return takes === true && (await hasSignedDigest(connection, keyId))
    ? fail("KeySignedUnread", { keyId, network })
    : ok(undefined);
};

/**
 * Judges a message whose meaning is unknown, for a key that controls accounts. Content that the chain of one of them
 * may accept as consent, such as the bare hash that Stellar signs, is signed only as part of a transaction that was
 * read (INV-3, decision 037).
 * @param networks of all wallets of the key
 * @returns TransactionUnreadable
 */
export const judgeUnreadable = (
  families: FamilyTable,
  networks: readonly Network[],
  message: Uint8Array,
): Result<void> => {
  const taker = networks
    .map((network) => families.find(familyOf(network)))
    .find((rules) => rules?.mayTakeForConsent?.(message) === true);
  return taker === undefined
    ? ok(undefined)
    : fail(
        "TransactionUnreadable",
        { field: "message", family: taker.name },
        `The message has the form of what ${taker.name} signs of a transaction: ask for a signature of kind Transaction.`,
      );
};

import {
  type ActiveKey,
  fail,
  type KeyId,
  type KeyScheme,
  type Network,
  networkSchema,
  type OrganisationId,
  ok,
  type Result,
  type SignatureBody,
  sharesTransactions,
  type Wallet,
  type WalletId,
} from "@conclave/custody";
import { type Caller, type Connection, listWalletsOfKey } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { usableKey } from "../key/visible-key.ts";
import { usableWallet } from "../wallet/visible-wallet.ts";
import { networkOfTransaction } from "./network-of-transaction.ts";

/** Which of the two a request names. */
export type SignatureTarget = { readonly walletId: WalletId } | { readonly keyId: KeyId };

/** The key that is asked to sign, by itself or for one of its wallets. */
export interface SigningSubject {
  readonly orgId: OrganisationId;
  readonly keyId: KeyId;
  readonly walletId: WalletId | undefined;
  readonly scheme: KeyScheme;
  /** of the wallet, or as the request says */
  readonly network: Network | undefined;
  /** lower-case hex */
  readonly publicKey: string;
  /** of a Taproot key, lower-case hex */
  readonly internalKey: string | undefined;
}

/** What decides what the key signs. */
const keyFacts = ({
  scheme,
  publicKey,
  internalKey,
}: Pick<ActiveKey, "scheme" | "publicKey" | "internalKey">) => ({
  scheme,
  publicKey,
  internalKey,
});

const invalid = (field: string, why: string): Result<never> =>
  fail("InvalidBody", { issues: [{ path: field, message: why }] }, `${field} ${why}`);

/**
 * Finds the key that a caller may sign with.
 * @returns WalletNotFound or KeyNotFound, KeyDelegated, NetworkUnknown, what `networkOfTransaction` refuses, InvalidBody when the
 *   request names another network than its wallet's, or KeyNetworkTaken when what it signs would be valid on the network of a wallet of the key
 */
export const signingSubject = async (
  dependencies: Pick<Dependencies, "families" | "chains">,
  connection: Connection,
  caller: Caller,
  target: SignatureTarget,
  body: SignatureBody,
): Promise<Result<SigningSubject>> => {
  if ("keyId" in target) {
    const key = await usableKey(connection, caller, target.keyId);
    if (!key.ok) return key;
    if (body.network !== undefined) return keySubject(connection, key.value, body.network);
    const network = networkOfTransaction(dependencies, key.value, body);
    return network.ok ? keySubject(connection, key.value, network.value) : network;
  }
  const wallet = await usableWallet(connection, caller, target.walletId);
  if (!wallet.ok) return wallet;
  const { orgId, keyId, id, network, signingKey } = wallet.value;
  return body.network === undefined || body.network === network
    ? ok({ orgId, keyId, walletId: id, network, ...keyFacts(signingKey) })
    : invalid("network", `is not the wallet's, which is ${network}`);
};

/** A wallet of the key on another network that takes what is signed for this one; its policies would not see that. */
export const sisterWallet = async (
  connection: Connection,
  keyId: KeyId,
  network: Network | undefined,
): Promise<Wallet | undefined> =>
  network === undefined
    ? undefined
    : (await listWalletsOfKey(connection, keyId)).find(
        (wallet) => wallet.network !== network && sharesTransactions(wallet.network, network),
      );

const keySubject = async (
  connection: Connection,
  key: ActiveKey,
  named: string | undefined,
): Promise<Result<SigningSubject>> => {
  const { orgId, id: keyId } = key;
  const subject = { orgId, keyId, walletId: undefined, ...keyFacts(key) };
  if (named === undefined) return ok({ ...subject, network: undefined });
  const parsed = networkSchema.safeParse(named);
  if (!parsed.success) return fail("NetworkUnknown", { network: named });
  const { data: network } = parsed;
  const sister = await sisterWallet(connection, keyId, network);
  return sister === undefined
    ? ok({ ...subject, network })
    : fail("KeyNetworkTaken", { keyId, network, duplicate: { id: sister.id } });
};

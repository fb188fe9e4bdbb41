import {
  type ActiveKey,
  type FamilyTable,
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

/** The wallet or the key that a request names. */
export type SignatureTarget = { readonly walletId: WalletId } | { readonly keyId: KeyId };

/** The key that is to sign, for itself or for one of its wallets. */
export interface SigningSubject {
  readonly orgId: OrganisationId;
  readonly keyId: KeyId;
  readonly walletId: WalletId | undefined;
  readonly scheme: KeyScheme;
  /** network of the wallet, or the one that the request names */
  readonly network: Network | undefined;
  /** lower-case hex */
  readonly publicKey: string;
  /** the internal key of a Taproot key, lower-case hex */
  readonly internalKey: string | undefined;
}

/** The attributes that decide which contents the key signs. */
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
 * The network that a request names, or for which its transaction is valid, where the request names a key and a family
 * of chains.
 * @returns KeyNotFound, KeyDelegated, or a refusal of `networkOfTransaction`
 */
export const namedNetwork = async (
  { reading }: Pick<Dependencies, "reading">,
  connection: Connection,
  caller: Caller,
  target: SignatureTarget,
  body: SignatureBody,
): Promise<Result<string | undefined>> => {
  if ("walletId" in target || body.network !== undefined) return ok(body.network);
  const key = await usableKey(connection, caller, target.keyId);
  return key.ok ? reading.onBehalfOf(caller.orgId).networkOf(keyFacts(key.value), body) : key;
};

/**
 * Finds the key that a caller may sign with.
 * @param named `namedNetwork`
 * @returns WalletNotFound or KeyNotFound, KeyDelegated, NetworkUnknown, InvalidBody when the request names another
 * network than its wallet's, or KeyNetworkTaken when the signature would be valid on the network of a wallet of the key
 */
export const signingSubject = async (
  families: FamilyTable,
  connection: Connection,
  caller: Caller,
  target: SignatureTarget,
  named: string | undefined,
): Promise<Result<SigningSubject>> => {
  if ("keyId" in target) {
    const key = await usableKey(connection, caller, target.keyId);
    return key.ok ? keySubject(families, connection, key.value, named) : key;
  }
  const wallet = await usableWallet(connection, caller, target.walletId);
  if (!wallet.ok) return wallet;
  const { orgId, keyId, id, network, signingKey } = wallet.value;
  return named === undefined || named === network
    ? ok({ orgId, keyId, walletId: id, network, ...keyFacts(signingKey) })
    : invalid("network", `is not the wallet's, which is ${network}`);
};

/**
 * A wallet of the key on another network where a signature for this one is valid too: the policies of that wallet would
 * not be asked.
 */
export const sisterWallet = async (
  families: FamilyTable,
  connection: Connection,
  keyId: KeyId,
  network: Network | undefined,
): Promise<Wallet | undefined> =>
  network === undefined
    ? undefined
    : (await listWalletsOfKey(connection, keyId)).find(
        (wallet) => wallet.network !== network && sharesTransactions(families, wallet.network, network),
      );

const keySubject = async (
  families: FamilyTable,
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
  const sister = await sisterWallet(families, connection, keyId, network);
  return sister === undefined
    ? ok({ ...subject, network })
    : fail("KeyNetworkTaken", { keyId, network, duplicate: { id: sister.id } });
};

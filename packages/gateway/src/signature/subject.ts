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
  type WalletId,
} from "@conclave/custody";
import type { Caller, Connection } from "@conclave/platform";
import { usableKey } from "../key/visible-key.ts";
import { usableWallet } from "../wallet/visible-wallet.ts";

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
}

const invalid = (field: string, why: string): Result<never> =>
  fail("InvalidBody", { issues: [{ path: field, message: why }] }, `${field} ${why}`);

/**
 * Finds the key that a caller may sign with.
 * @returns WalletNotFound or KeyNotFound, KeyDelegated, NetworkUnknown, or InvalidBody when the request names another
 *   network than its wallet's
 */
export const signingSubject = async (
  connection: Connection,
  caller: Caller,
  target: SignatureTarget,
  body: Pick<SignatureBody, "network">,
): Promise<Result<SigningSubject>> => {
  if ("keyId" in target) {
    const key = await usableKey(connection, caller, target.keyId);
    return key.ok ? keySubject(key.value, body.network) : key;
  }
  const wallet = await usableWallet(connection, caller, target.walletId);
  if (!wallet.ok) return wallet;
  const { orgId, keyId, id, network, signingKey } = wallet.value;
  return body.network === undefined || body.network === network
    ? ok({ orgId, keyId, walletId: id, network, scheme: signingKey.scheme, publicKey: signingKey.publicKey })
    : invalid("network", `is not the wallet's, which is ${network}`);
};

const keySubject = (
  { orgId, id, scheme, publicKey }: ActiveKey,
  named: string | undefined,
): Result<SigningSubject> => {
  const subject = { orgId, keyId: id, walletId: undefined, scheme, publicKey };
  if (named === undefined) return ok({ ...subject, network: undefined });
  const network = networkSchema.safeParse(named);
  return network.success
    ? ok({ ...subject, network: network.data })
    : fail("NetworkUnknown", { network: named });
};

import {
  type ActiveWallet,
  type CreatingKey,
  type CreatingWallet,
  fail,
  judgeNetwork,
  judgeWalletKeyFormat,
  type KeyScheme,
  type Network,
  ok,
  type RegisterEndUserBody,
  type Result,
} from "@conclave/custody";
import { type Connection, insertWallet, readUser } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { insertKeyRequest } from "../key/key-request.ts";
import { newKey } from "../key/new-key.ts";
import type { Viewer } from "../people/viewer.ts";
import { newWallet, settledWallet } from "../wallet/wallet-request.ts";
import { enterRegistered, REGISTER_AGAIN, type Registered } from "./registration.ts";
import { openLogin } from "./session.ts";

/** A requested network, and the scheme for its key. */
interface AskedWallet {
  readonly network: Network;
  readonly scheme: KeyScheme;
  readonly name: string | undefined;
}

/** A registered end user, logged in, with wallets. */
export interface RegisteredEndUser extends Registered {
  readonly token: string;
  readonly wallets: readonly ActiveWallet[];
}

/**
 * Registers an end user's first credentials, logs them in, and has the signers make their wallets, each with its own
 * key. One transaction requests all of it, so a registered end user gets the wallets even if the signers take longer
 * than callers wait.
 * @param token the temporaryAuthenticationToken of the challenge of a delegated registration
 * @throws Refused with NetworkUnknown, NetworkNotEnabled or KeyFormatMismatch, which change nothing; errors of
 * `completeRegistration`; or, for a registered user, the signers' problem or RequestInProgress
 */
export const registerEndUser = async (
  dependencies: Dependencies,
  token: string | undefined,
  { wallets, ...credentials }: RegisterEndUserBody,
): Promise<RegisteredEndUser> => {
  const asked = wallets.map((each) => demand(judgeAsked(dependencies, each)));
  const pending = token === undefined ? undefined : await dependencies.issuer.read("registration", token);
  if (pending?.userId === undefined) return demand(fail("TokenInvalid", REGISTER_AGAIN));
  // an employee's wallets would be the organisation's, which has not requested any
  const invited = await readUser(dependencies.database, pending.orgId, pending.userId);
  if (invited?.kind !== "EndUser") return demand(fail("TokenInvalid", REGISTER_AGAIN));
  const made = await dependencies.database.transaction(async (connection) => {
    const registered = await enterRegistered(dependencies, connection, pending, credentials);
    const { text, caller } = await openLogin(
      dependencies,
      connection,
      registered.user,
      registered.credential,
    );
    const requested = asked.map((each) => requestOf(dependencies, { ...caller, isEndUser: true }, each));
    for (const each of requested) await store(connection, each);
    return { ...registered, token: text, requested };
  });
  const settled = await Promise.all(made.requested.map(({ wallet }) => settledWallet(dependencies, wallet)));
  const { user, credential } = made;
  return { user, credential, token: made.token, wallets: settled.map((each) => demand(each)) };
};

const judgeAsked = (
  { networks, families }: Pick<Dependencies, "networks" | "families">,
  { network, name }: RegisterEndUserBody["wallets"][number],
): Result<AskedWallet> => {
  const served = judgeNetwork(network, networks);
  if (!served.ok) return served;
  const scheme = judgeWalletKeyFormat(families, served.value, {});
  return scheme.ok ? ok({ network: served.value, scheme: scheme.value, name }) : scheme;
};

interface RequestedWallet {
  readonly wallet: CreatingWallet;
  readonly key: CreatingKey;
}

const requestOf = (
  dependencies: Dependencies,
  caller: Viewer,
  { network, scheme, name }: AskedWallet,
): RequestedWallet => {
  const key = newKey(dependencies, caller, scheme, { delegatedTo: caller.userId, isDelegable: false });
  const requestBody = { network, ...(name === undefined ? {} : { name }) };
  return { key, wallet: newWallet(dependencies, caller, { network, keyId: key.id }, { name, requestBody }) };
};

const store = async (connection: Connection, { wallet, key }: RequestedWallet): Promise<void> => {
  await insertWallet(connection, wallet);
  await insertKeyRequest(connection, key, undefined);
};

import {
  type ActiveWallet,
  type CreateWalletBody,
  decideWallet,
  fail,
  judgeKeyOnNetwork,
  judgeKeyOptions,
  judgeKeyUser,
  judgeNetwork,
  judgeWalletKeyFormat,
  type KeyId,
  type Network,
  type Result,
  sharesTransactions,
  signingKeyOf,
} from "@conclave/custody";
import { insertWallet, listWalletsOfKey, lockKey, networksSignedFor, recordEvents } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { newKey, ownerOfNewKey } from "../key/new-key.ts";
import { isShownTo, type Viewer } from "../people/viewer.ts";
import { judgeSignedBefore } from "../signature/judge-unreadable.ts";
import { earlierWallet, newWallet, requestWallet, settledWallet, walletOutcome } from "./wallet-request.ts";

/**
 * Creates a wallet with a key of its own, or on an existing key. The same body with the same externalId gives the
 * earlier wallet (wire interface, section E.5).
 * @returns the active wallet; refusals of `judgeNetwork`, `judgeKeyOptions` and `judgeWalletKeyFormat`,
 * DelegateUnknown, ExternalIdConflict; on an existing key KeyNotFound, KeyDelegated, KeyOptionsMismatch,
 * KeyFormatMismatch or KeyNetworkTaken or KeySignedUnread; otherwise the signers' problem, or RequestInProgress when
 * the key takes longer than callers wait
 */
export const createWallet = async (
  dependencies: Dependencies,
  caller: Viewer,
  body: CreateWalletBody,
): Promise<Result<ActiveWallet>> => {
  const network = judgeNetwork(body.network, dependencies.networks);
  if (!network.ok) return network;
  const options = judgeKeyOptions(body.signingKey ?? {});
  if (!options.ok) return options;
  const earlier = await earlierWallet(dependencies, caller, requestOf(body));
  if (!earlier.ok) return earlier;
  if (earlier.value !== undefined) return settledWallet(dependencies, earlier.value);
  const keyId = body.signingKey?.id;
  const made =
    keyId === undefined
      ? await withNewKey(dependencies, caller, network.value, body)
      : await onKey(dependencies, caller, network.value, keyId, body);
  // another request with this externalId came first: it is the answer, or conflicts
  return made === "taken" ? createWallet(dependencies, caller, body) : made;
};

const withNewKey = async (
  dependencies: Dependencies,
  caller: Viewer,
  network: Network,
  body: CreateWalletBody,
): Promise<Result<ActiveWallet> | "taken"> => {
  const scheme = judgeWalletKeyFormat(dependencies.families, network, body.signingKey ?? {});
  if (!scheme.ok) return scheme;
  const owner = await ownerOfNewKey(dependencies.database, caller, body);
  if (!owner.ok) return owner;
  const key = newKey(dependencies, caller, scheme.value, {
    delegatedTo: owner.value,
    isDelegable: body.delayDelegation === true,
  });
  const wallet = newWallet(dependencies, caller, { network, keyId: key.id }, requestOf(body));
  return requestWallet(dependencies, wallet, key);
};

/** Creates a wallet on an existing key, which is active at once. */
const onKey = (
  dependencies: Dependencies,
  caller: Viewer,
  network: Network,
  keyId: KeyId,
  body: CreateWalletBody,
): Promise<Result<ActiveWallet> | "taken"> =>
  dependencies.database.transaction(async (connection) => {
    const { families } = dependencies;
    const key = await lockKey(connection, keyId);
    if (key?.orgId !== caller.orgId || key.status !== "Active" || !isShownTo(caller, key)) {
      return fail("KeyNotFound", { keyId, orgId: caller.orgId });
    }
    const user = judgeKeyUser(key, caller.userId);
    if (!user.ok) return user;
    const fitting = judgeKeyOnNetwork(families, network, key.scheme, body.signingKey);
    if (!fitting.ok) return fitting;
    const isAsTheKey = body.delegateTo === undefined || body.delegateTo === key.delegatedTo;
    if (!isAsTheKey || body.delayDelegation === true) return fail("KeyOptionsMismatch", { keyId });
    const others = await listWalletsOfKey(connection, keyId);
    const duplicate = others.find((other) => sharesTransactions(families, other.network, network));
    if (duplicate !== undefined) {
      return fail("KeyNetworkTaken", { keyId, network, duplicate: { id: duplicate.id } });
    }
    const signedFor = await networksSignedFor(connection, keyId);
    if (signedFor.some((earlier) => earlier !== network && sharesTransactions(families, earlier, network))) {
      return fail(
        "KeyNetworkTaken",
        { keyId, network },
        `The key has signed for another network that takes the same transactions as ${network}.`,
      );
    }
    const unread = await judgeSignedBefore(families, connection, keyId, network);
    if (!unread.ok) return unread;
    const wallet = newWallet(dependencies, caller, { network, keyId }, requestOf(body));
    const decided = decideWallet(wallet, {
      kind: "KeyActivated",
      signingKey: signingKeyOf(key),
      address: families.addressOn(network, key.publicKey),
      date: wallet.dateCreated,
    });
    if (!decided.ok) return decided;
    if (!(await insertWallet(connection, decided.value.wallet))) return "taken";
    await recordEvents(connection, decided.value.events);
    return walletOutcome(decided.value.wallet, wallet);
  });

const requestOf = (body: CreateWalletBody) => ({ ...body, requestBody: body });

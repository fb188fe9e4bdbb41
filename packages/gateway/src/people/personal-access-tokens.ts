import {
  type AccessTokenView,
  type CreatePatBody,
  changeIdentity,
  fail,
  type IdentityChange,
  lifetimeSeconds,
  ok,
  problem,
  type Result,
  type TokenId,
} from "@conclave/custody";
import {
  type AccessToken,
  type Caller,
  type Connection,
  changeRights,
  lockAccessToken,
  readAccessToken,
  readUser,
  type StoredAccessToken,
  updateAccessToken,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { demand, Refused } from "../http/refused.ts";
import { givePermission } from "./first-permission.ts";
import { makeToken } from "./new-token.ts";
import { roomForPersonalToken } from "./room.ts";
import { showToken } from "./show.ts";

/**
 * Makes a token for the caller; only this answer has its text.
 * @throws Refused with TooManyTokens, PublicKeyInvalid, or errors of `givePermission`
 */
export const createPersonalAccessToken = (
  dependencies: Dependencies,
  caller: Caller,
  body: CreatePatBody,
): Promise<AccessTokenView & { readonly accessToken: string }> =>
  dependencies.database.transaction(async (connection) => {
    // its permission, if given, narrows the token
    await changeRights(connection, caller.orgId);
    const user = await readUser(connection, caller.orgId, caller.userId);
    if (user === undefined) throw new Refused(problem("TokenInvalid"));
    demand(await roomForPersonalToken(connection, caller));
    const { name, externalId, publicKey } = body;
    const { token, text } = await makeToken(dependencies, connection, {
      kind: "Pat",
      user,
      name,
      externalId,
      publicKey,
      lifetimeSeconds: lifetimeSeconds(body),
    });
    await givePermission(dependencies, connection, caller, body.permissionId, token.id);
    return { ...(await showToken(connection, token)), accessToken: text };
  });

/** A token of the caller; those of colleagues count as not existing, like those of other organisations (INV-11). */
export const ownToken = async (
  connection: Connection,
  { orgId, userId }: Caller,
  tokenId: TokenId,
  read: typeof readAccessToken = readAccessToken,
): Promise<Result<StoredAccessToken>> => {
  const token = await read(connection, orgId, tokenId);
  return token?.kind === "Pat" && token.userId === userId
    ? ok(token)
    : fail("AccessTokenNotFound", { tokenId, orgId });
};

/** Changes a token of the caller. @throws Refused with AccessTokenNotFound */
export const changePersonalAccessToken = (
  { database, now }: Pick<Dependencies, "database" | "now">,
  caller: Caller,
  tokenId: TokenId,
  change: IdentityChange,
): Promise<AccessToken> =>
  database.transaction(async (connection) => {
    await changeRights(connection, caller.orgId);
    const token = demand(await ownToken(connection, caller, tokenId, lockAccessToken));
    const changed = changeIdentity(token, change, now().toISOString());
    await updateAccessToken(connection, changed);
    return changed;
  });

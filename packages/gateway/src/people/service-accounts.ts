import { type CreateServiceAccountBody, lifetimeSeconds, userIdSchema } from "@conclave/custody";
import { type Caller, recordMaker, type User } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import type { ServiceAccountView } from "../schemas/people/people.ts";
import { givePermission } from "./first-permission.ts";
import { judgeMaker, MAY_MAKE_SERVICE_ACCOUNT } from "./judge-maker.ts";
import { makeToken } from "./new-token.ts";
import { addUser } from "./people.ts";
import { roomForServiceAccount } from "./room.ts";
import { showServiceAccount } from "./show.ts";

/**
 * Makes a service account with its token; only this answer has the token's text.
 * @throws Refused with TooManyServiceAccounts, PublicKeyInvalid, or errors of `givePermission`
 */
export const createServiceAccount = (
  dependencies: Dependencies,
  caller: Caller,
  body: CreateServiceAccountBody,
): Promise<ServiceAccountView> =>
  dependencies.database.transaction(async (connection) => {
    await judgeMaker(connection, caller, MAY_MAKE_SERVICE_ACCOUNT);
    demand(await roomForServiceAccount(connection, caller));
    const user = demand(await addUser(connection, newMachine(dependencies, caller, body)));
    await recordMaker(connection, user, caller.userId);
    const { name, externalId, publicKey } = body;
    const { token, text } = await makeToken(dependencies, connection, {
      kind: "ServiceAccount",
      user,
      name,
      externalId,
      publicKey,
      lifetimeSeconds: lifetimeSeconds(body),
    });
    await givePermission(dependencies, connection, caller, body.permissionId, user.id);
    const shown = await showServiceAccount(connection, user);
    return {
      ...shown,
      accessTokens: shown.accessTokens.map((each) =>
        each.tokenId === token.id ? { ...each, accessToken: text } : each,
      ),
    };
  });

/** A user without a login. Its username is its id, as names of machines need not be unique. */
export const newMachine = (
  { now, world }: Pick<Dependencies, "now" | "world">,
  { orgId }: Caller,
  { name, externalId }: { readonly name: string; readonly externalId?: string | undefined },
): User => {
  const id = world.freshId(userIdSchema, "us");
  return {
    id,
    orgId,
    username: id,
    name,
    kind: "CustomerEmployee",
    isServiceAccount: true,
    isRegistered: true,
    isActive: true,
    externalId,
    dateCreated: now().toISOString(),
    dateArchived: undefined,
  };
};

import {
  type ApplicationId,
  type ApplicationView,
  applicationIdSchema,
  type CreateApplicationBody,
  changeIdentity,
  fail,
  type IdentityChange,
  lifetimeSeconds,
  type OrganisationId,
  ok,
  problem,
  type Result,
} from "@conclave/custody";
import {
  type Application,
  archiveAccessTokens,
  type Caller,
  type Connection,
  changeRights,
  insertApplication,
  lockApplication,
  readApplication,
  recordMaker,
  type User,
  updateApplication,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { demand, Refused } from "../http/refused.ts";
import { givePermission } from "./first-permission.ts";
import { judgeMaker, MAY_MAKE_APPLICATION } from "./judge-maker.ts";
import { makeToken } from "./new-token.ts";
import { addUser } from "./people.ts";
import { roomForApplication } from "./room.ts";
import { newMachine } from "./service-accounts.ts";
import { showApplication } from "./show.ts";

/**
 * Makes an application. One that runs on a server gets a token, whose text only this answer has; one that runs at
 * clients gets none, as it could not keep it secret.
 * @throws Refused with TooManyApplications, PublicKeyInvalid, or errors of `givePermission`
 */
export const createApplication = (
  dependencies: Dependencies,
  caller: Caller,
  body: CreateApplicationBody,
): Promise<ApplicationView> =>
  dependencies.database.transaction(async (connection) => {
    await judgeMaker(connection, caller, MAY_MAKE_APPLICATION);
    demand(await roomForApplication(connection, caller));
    const user = demand(await addUser(connection, newMachine(dependencies, caller, body)));
    await recordMaker(connection, user, caller.userId);
    const application = newApplication(dependencies, user, body);
    await insertApplication(connection, application);
    const made = await tokenOf(dependencies, connection, user, application, body);
    await givePermission(dependencies, connection, caller, body.permissionId, application.id);
    const shown = await showApplication(connection, application);
    if (made === undefined) return shown;
    return {
      ...shown,
      accessTokens: shown.accessTokens.map((each) => ({ ...each, accessToken: made.text })),
    };
  });

const newApplication = ({ world }: Dependencies, user: User, body: CreateApplicationBody): Application => ({
  id: world.freshId(applicationIdSchema, "ap"),
  orgId: user.orgId,
  userId: user.id,
  kind: body.kind,
  name: body.name,
  expectedRpId: body.relyingPartyId,
  expectedOrigin: body.origin,
  externalId: body.externalId,
  isActive: true,
  dateCreated: user.dateCreated,
  dateArchived: undefined,
});

const tokenOf = async (
  dependencies: Dependencies,
  connection: Connection,
  user: User,
  { id: appId }: Application,
  body: CreateApplicationBody,
) => {
  if (body.kind === "ClientSideApplication") return undefined;
  const { name, externalId, publicKey } = body;
  return makeToken(dependencies, connection, {
    kind: "Application",
    user,
    appId,
    name,
    externalId,
    publicKey,
    lifetimeSeconds: lifetimeSeconds(body),
  });
};

/** An application of the organisation (INV-11). */
export const visibleApplication = async (
  connection: Connection,
  orgId: OrganisationId,
  appId: ApplicationId,
  read: typeof readApplication = readApplication,
): Promise<Result<Application>> => {
  const application = await read(connection, orgId, appId);
  return application === undefined ? fail("ApplicationNotFound", { appId, orgId }) : ok(application);
};

/**
 * Changes an application.
 * @throws Refused with ApplicationNotFound, or ApplicationOwnState when it would activate, deactivate or archive itself
 */
export const changeApplication = (
  { database, now }: Pick<Dependencies, "database" | "now">,
  caller: Caller,
  appId: ApplicationId,
  change: IdentityChange,
): Promise<Application> =>
  database.transaction(async (connection) => {
    await changeRights(connection, caller.orgId);
    const application = demand(await visibleApplication(connection, caller.orgId, appId, lockApplication));
    if (change.kind !== "Renamed" && caller.appId === appId) {
      throw new Refused(problem("ApplicationOwnState", { appId }));
    }
    const date = now().toISOString();
    const changed = changeIdentity(application, change, date);
    await updateApplication(connection, changed);
    if (change.kind === "Archived") {
      await archiveAccessTokens(connection, caller.orgId, application.userId, date);
    }
    return changed;
  });

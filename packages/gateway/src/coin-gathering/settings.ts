import type { Need, Requester } from "@conclave/custody";
import { changeRights, readCoinGatherer, setCoinGatherer } from "@conclave/platform";
import { MAY_CREATE } from "../chain-request/may-create.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { requesterOf } from "../people/requester.ts";
import type { Viewer } from "../people/viewer.ts";
import { judgeStanding } from "../permission/standing.ts";
import type { OrganisationSettings, OrganisationSettingsBody } from "../schemas/organisation.ts";

/** The permission for every change of the settings. */
export const MAY_CHANGE_SETTINGS: readonly Need[] = ["Orgs:Settings:Update"];

/**
 * The permissions for a change. The service makes requests in the name of the person who allows gathering, so that
 * person needs the right to make them; ending it needs no such right.
 */
export const needsOfSettings = ({ gathersCoins }: OrganisationSettingsBody): readonly Need[] =>
  gathersCoins ? [...MAY_CHANGE_SETTINGS, MAY_CREATE.Transaction] : MAY_CHANGE_SETTINGS;

/** Reads which acts the caller's organisation allows the service to do by itself. */
export const readSettings = async (
  { database }: Pick<Dependencies, "database">,
  { orgId }: Pick<Viewer, "orgId">,
): Promise<OrganisationSettings> => shown(await readCoinGatherer(database, orgId));

/**
 * Lets the service gather coins in the caller's name, or ends that. A second person who allows it replaces the first.
 * The change waits for judgements under way; later ones use the new setting.
 * @throws Refused with PermissionMissing when the caller has lost the right since the request came
 */
export const changeSettings = (
  { database }: Pick<Dependencies, "database">,
  caller: Viewer,
  body: OrganisationSettingsBody,
): Promise<OrganisationSettings> =>
  database.transaction(async (connection) => {
    await changeRights(connection, caller.orgId);
    demand(await judgeStanding(connection, caller, "who asks for it", needsOfSettings(body)));
    const requester = body.gathersCoins ? requesterOf(caller) : undefined;
    await setCoinGatherer(connection, caller.orgId, requester);
    return shown(requester);
  });

const shown = (requester: Requester | undefined): OrganisationSettings =>
  requester === undefined ? { gathersCoins: false } : { gathersCoins: true, gathersCoinsFor: requester };

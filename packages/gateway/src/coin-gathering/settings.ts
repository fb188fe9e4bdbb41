import type { Requester } from "@conclave/custody";
import { changeRights, readCoinGatherer, setCoinGatherer } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { requesterOf } from "../people/requester.ts";
import type { Viewer } from "../people/viewer.ts";
import type { OrganisationSettings, OrganisationSettingsBody } from "../schemas/organisation.ts";

/** What the caller's organisation has the service do by itself. */
export const readSettings = async (
  { database }: Pick<Dependencies, "database">,
  { orgId }: Pick<Viewer, "orgId">,
): Promise<OrganisationSettings> => shown(await readCoinGatherer(database, orgId));

/**
 * Has the service gather coins by itself, in the caller's name, or ends that. Whoever allows it again takes the place of who did before.
 * What is judged meanwhile goes first, and nothing is judged by the old setting afterwards.
 */
export const changeSettings = (
  { database }: Pick<Dependencies, "database">,
  caller: Viewer,
  { gathersCoins }: OrganisationSettingsBody,
): Promise<OrganisationSettings> =>
  database.transaction(async (connection) => {
    await changeRights(connection, caller.orgId);
    const requester = gathersCoins ? requesterOf(caller) : undefined;
    await setCoinGatherer(connection, caller.orgId, requester);
    return shown(requester);
  });

const shown = (requester: Requester | undefined): OrganisationSettings =>
  requester === undefined ? { gathersCoins: false } : { gathersCoins: true, gathersCoinsFor: requester };

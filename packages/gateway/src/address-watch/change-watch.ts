import {
  type AddressWatch,
  type AddressWatchId,
  addressWatchIdSchema,
  archived,
  type CreateAddressWatchBody,
  fail,
  hasAddresses,
  judgeNetwork,
  judgeWatchedAddress,
  MOST_ADDRESS_WATCHES,
  ok,
  type Result,
  reactivated,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  countAddressWatches,
  findAddressWatch,
  insertAddressWatch,
  lockAddressWatches,
  updateAddressWatch,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { visibleWatch } from "./visible-watch.ts";

type Needed = Pick<Dependencies, "database" | "families" | "networks" | "now" | "world">;

/** Makes the watch that a body asks for. @returns refusals of `judgeNetwork` and of `judgeWatchedAddress`, NetworkWithoutAddress */
const newWatch = (
  { families, networks, now, world }: Needed,
  orgId: AddressWatch["orgId"],
  body: CreateAddressWatchBody,
): Result<AddressWatch> => {
  const network = judgeNetwork(body.network, networks);
  if (!network.ok) return network;
  if (!hasAddresses(network.value)) return fail("NetworkWithoutAddress", { network: network.value });
  const address = judgeWatchedAddress(families, networks, {
    network: network.value,
    address: body.address,
  });
  if (!address.ok) return address;
  const date = now().toISOString();
  return ok({
    id: world.freshId(addressWatchIdSchema, "aw"),
    orgId,
    network: network.value,
    address: address.value,
    name: body.name,
    externalId: body.externalId,
    status: "Active",
    dateCreated: date,
    dateActivated: date,
    dateDeleted: undefined,
  });
};

const hasRoom = async (connection: Connection, orgId: AddressWatch["orgId"]): Promise<Result<void>> =>
  (await countAddressWatches(connection, orgId)) < MOST_ADDRESS_WATCHES
    ? ok(undefined)
    : fail("TooManyAddressWatches", { most: MOST_ADDRESS_WATCHES });

/**
 * Begins to watch an address. One that was watched before goes on with its id, its name and its history, as clients
 * expect (Python client 1.0.4, `create_address_watch`).
 * @returns the watch; refusals of `newWatch`; AddressWatched when the organisation watches it already;
 * TooManyAddressWatches
 */
export const watchAddress = async (
  needed: Needed,
  { orgId }: Pick<Caller, "orgId">,
  body: CreateAddressWatchBody,
): Promise<Result<AddressWatch>> => {
  const made = newWatch(needed, orgId, body);
  if (!made.ok) return made;
  return needed.database.transaction(async (connection) => {
    await lockAddressWatches(connection, orgId);
    const earlier = await findAddressWatch(connection, made.value);
    const watch = earlier === undefined ? made : reactivated(earlier, made.value.dateCreated);
    if (!watch.ok) return watch;
    const room = await hasRoom(connection, orgId);
    if (!room.ok) return room;
    if (earlier === undefined) await insertAddressWatch(connection, watch.value);
    else await updateAddressWatch(connection, watch.value);
    return watch;
  });
};

/** Stops to watch an address; its history stays. @returns the archived watch, or AddressWatchNotFound */
export const stopWatching = (
  { database, now }: Pick<Needed, "database" | "now">,
  { orgId }: Pick<Caller, "orgId">,
  addressWatchId: AddressWatchId,
): Promise<Result<AddressWatch>> =>
  database.transaction(async (connection) => {
    await lockAddressWatches(connection, orgId);
    const watch = await visibleWatch(connection, { orgId }, addressWatchId);
    if (!watch.ok) return watch;
    const stopped = archived(watch.value, now().toISOString());
    if (stopped !== watch.value) await updateAddressWatch(connection, stopped);
    return ok(stopped);
  });

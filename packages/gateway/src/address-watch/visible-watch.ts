import { type AddressWatch, type AddressWatchId, fail, ok, type Result } from "@conclave/custody";
import { type Caller, type Connection, readAddressWatch } from "@conclave/platform";

/**
 * A watch of the caller's organisation, also an archived one. One of another organisation and one that does not exist
 * give the same answer (INV-11).
 */
export const visibleWatch = async (
  connection: Connection,
  { orgId }: Pick<Caller, "orgId">,
  addressWatchId: AddressWatchId,
): Promise<Result<AddressWatch>> => {
  const watch = await readAddressWatch(connection, orgId, addressWatchId);
  return watch === undefined ? fail("AddressWatchNotFound", { addressWatchId, orgId }) : ok(watch);
};

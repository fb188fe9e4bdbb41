import { z } from "zod";
import type { FamilyTable } from "../families/rules.ts";
import { familyOf } from "../network.ts";
import { ADDRESS_WATCH_STATUSES, type AddressWatch } from "./address-watch.ts";

/** A watch in API responses, by the members of the Python client 1.0.4 (`GetAddressWatchResponse`). */
export const addressWatchViewSchema = z.object({
  id: z.string(),
  network: z.string(),
  address: z.string(),
  name: z.string().optional(),
  externalId: z.string().optional(),
  status: z.enum(ADDRESS_WATCH_STATUSES),
  dateCreated: z.string(),
  dateDeleted: z.string().optional(),
});
export type AddressWatchView = z.infer<typeof addressWatchViewSchema>;

/** Shows a watch. Its address is in the spelling in which addresses are compared: in lower case on EVM networks. */
export const addressWatchView = (families: FamilyTable, watch: AddressWatch): AddressWatchView => ({
  id: watch.id,
  network: watch.network,
  address: families.find(familyOf(watch.network))?.spell(watch.address) ?? watch.address,
  ...(watch.name === undefined ? {} : { name: watch.name }),
  ...(watch.externalId === undefined ? {} : { externalId: watch.externalId }),
  status: watch.status,
  dateCreated: watch.dateCreated,
  ...(watch.dateDeleted === undefined ? {} : { dateDeleted: watch.dateDeleted }),
});

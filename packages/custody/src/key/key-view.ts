import type { ActiveKey, ArchivedKey } from "./key.ts";
import { formatOf, type KeyFormat } from "./key-format.ts";

/** The Key that the API answers (wire interface, section G). */
export interface KeyView {
  readonly id: string;
  readonly scheme: KeyFormat["scheme"];
  readonly curve: KeyFormat["curve"];
  readonly publicKey: string;
  readonly name?: string;
  readonly status: "Active" | "Archived";
  readonly custodial: boolean;
  readonly imported: boolean;
  readonly exported: boolean;
  readonly dateExported?: string;
  readonly dateCreated: string;
  readonly dateDeleted?: string;
}

/**
 * Shows a key. It is custodial until it is an end user's. Of a Taproot key clients see the internal key, which they tweak themselves with
 * the script tree that they ask signatures for.
 */
export const keyView = (key: ActiveKey | ArchivedKey): KeyView => ({
  id: key.id,
  ...formatOf(key.scheme),
  publicKey: key.internalKey ?? key.publicKey,
  ...(key.name === undefined ? {} : { name: key.name }),
  status: key.status,
  custodial: key.delegatedTo === undefined,
  imported: key.origin === "imported",
  exported: key.dateExported !== undefined,
  ...(key.dateExported === undefined ? {} : { dateExported: key.dateExported }),
  dateCreated: key.dateCreated,
  ...(key.status === "Archived" ? { dateDeleted: key.dateDeleted } : {}),
});

/** The one store that keys are in: the shares that the signers of this cluster hold. */
export const KEY_STORE = { id: "ks-share-holds-00000000000000", kind: "Mpc", primary: true } as const;

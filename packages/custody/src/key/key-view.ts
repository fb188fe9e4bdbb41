import { z } from "zod";
import type { ActiveKey, ArchivedKey } from "./key.ts";
import { formatOf } from "./key-format.ts";

/** The format of a key, as views show it. */
export const keyFormatFields = {
  scheme: z.enum(["ECDSA", "EdDSA", "Schnorr"]),
  curve: z.enum(["secp256k1", "ed25519"]),
  publicKey: z
    .string()
    .describe("Hex without 0x: a 33-byte compressed point of secp256k1, or 32 bytes of Ed25519"),
};

/** The Key in API responses (wire interface, section G). */
export const keyViewSchema = z.object({
  id: z.string(),
  ...keyFormatFields,
  name: z.string().optional(),
  status: z.enum(["Active", "Archived"]),
  custodial: z.boolean().describe("Whether it is the organisation's: false for an end user's"),
  imported: z.boolean(),
  exported: z.boolean(),
  dateExported: z.string().optional(),
  dateCreated: z.string(),
  dateDeleted: z.string().optional(),
});
export type KeyView = z.infer<typeof keyViewSchema>;

/**
 * Shows a key. It is custodial unless it is delegated to an end user. Of a Taproot key the view has the
 * internal key: clients tweak it themselves by the script tree for which they request signatures.
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

/** The one key store: the shares that the signers of this cluster hold. */
export const KEY_STORE = { id: "ks-share-holds-00000000000000", kind: "Mpc", primary: true } as const;

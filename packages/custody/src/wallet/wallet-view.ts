import { z } from "zod";
import { formatOf } from "../key/key-format.ts";
import { keyFormatFields } from "../key/key-view.ts";
import { type ActiveWallet, type ArchivedWallet, TAGS_MAX } from "./wallet.ts";

/** The Wallet in API responses: the interface's fields and the additions of wire interface section G. */
export const walletViewSchema = z.object({
  id: z.string(),
  network: z.string(),
  status: z.enum(["Active", "Archived"]),
  name: z.string().optional(),
  externalId: z.string().optional(),
  address: z.string().optional().describe("Absent on pseudo networks"),
  signingKey: z.object({
    id: z.string(),
    ...keyFormatFields,
    delegatedTo: z.string().optional(),
  }),
  custodial: z.boolean(),
  imported: z.boolean(),
  exported: z.boolean(),
  dateExported: z.string().optional(),
  tags: z.array(z.string()).max(TAGS_MAX).readonly(),
  dateCreated: z.string(),
  dateDeleted: z.string().optional(),
});
export type WalletView = z.infer<typeof walletViewSchema>;

/** Shows a wallet. Its key is custodial unless it is delegated to an end user. */
export const walletView = (wallet: ActiveWallet | ArchivedWallet): WalletView => {
  const { scheme, publicKey, internalKey, delegatedTo, isImported, dateExported } = wallet.signingKey;
  return {
    id: wallet.id,
    network: wallet.network,
    status: wallet.status,
    ...(wallet.name === undefined ? {} : { name: wallet.name }),
    ...(wallet.externalId === undefined ? {} : { externalId: wallet.externalId }),
    ...(wallet.address === undefined ? {} : { address: wallet.address }),
    signingKey: {
      id: wallet.keyId,
      ...formatOf(scheme),
      publicKey: internalKey ?? publicKey,
      ...(delegatedTo === undefined ? {} : { delegatedTo }),
    },
    custodial: delegatedTo === undefined,
    imported: isImported,
    exported: dateExported !== undefined,
    ...(dateExported === undefined ? {} : { dateExported }),
    tags: wallet.tags,
    dateCreated: wallet.dateCreated,
    ...(wallet.status === "Archived" ? { dateDeleted: wallet.dateDeleted } : {}),
  };
};

import { formatOf, type KeyFormat } from "../key/key-format.ts";
import type { ActiveWallet, ArchivedWallet } from "./wallet.ts";

/** The Wallet that the API answers: the interface's fields and the additions of wire interface section G. */
export interface WalletView {
  readonly id: string;
  readonly network: string;
  readonly status: "Active" | "Archived";
  readonly name?: string;
  readonly externalId?: string;
  readonly address?: string;
  readonly signingKey: {
    readonly id: string;
    readonly scheme: KeyFormat["scheme"];
    readonly curve: KeyFormat["curve"];
    readonly publicKey: string;
    readonly delegatedTo?: string;
  };
  readonly custodial: boolean;
  readonly imported: boolean;
  readonly exported: boolean;
  readonly dateExported?: string;
  readonly tags: readonly string[];
  readonly dateCreated: string;
  readonly dateDeleted?: string;
}

/** Shows a wallet. Its key is custodial until it is an end user's. */
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

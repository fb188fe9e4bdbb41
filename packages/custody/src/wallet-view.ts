import type { ActiveWallet } from "./wallet.ts";

/** The Wallet that the API answers: the interface's fields and the additions of wire interface section G. */
export interface WalletView {
  readonly id: string;
  readonly network: string;
  readonly status: "Active";
  readonly name?: string;
  readonly externalId?: string;
  readonly address: string;
  readonly signingKey: {
    readonly id: string;
    readonly scheme: "ECDSA";
    readonly curve: "secp256k1";
    readonly publicKey: string;
  };
  readonly custodial: boolean;
  readonly imported: boolean;
  readonly exported: boolean;
  readonly tags: readonly string[];
  readonly dateCreated: string;
}

/** Shows a wallet. Only active wallets have a face; keys live with the signers alone, hence custodial. */
export const walletView = (wallet: ActiveWallet): WalletView => ({
  id: wallet.id,
  network: wallet.network,
  status: wallet.status,
  ...(wallet.name === undefined ? {} : { name: wallet.name }),
  ...(wallet.externalId === undefined ? {} : { externalId: wallet.externalId }),
  address: wallet.address,
  signingKey: { id: wallet.keyId, scheme: "ECDSA", curve: "secp256k1", publicKey: wallet.publicKey },
  custodial: true,
  imported: false,
  exported: false,
  tags: wallet.tags,
  dateCreated: wallet.dateCreated,
});

import type { NodeUrls } from "../networks/local-network.ts";

/** A transaction as the chain's own library reads it from the node. */
export interface SeenTransaction {
  readonly sender: string;
  readonly recipient: string;
  readonly amount: bigint;
  /** the token that moved; undefined for the native coin */
  readonly token: string | undefined;
  /** smallest unit of the native coin, as the node or the bytes say */
  readonly fee: bigint;
  /** whether a second library accepts the signature for the sender's key */
  readonly isSigned: boolean;
  /** the bytes that were broadcast */
  readonly signed: Uint8Array;
}

/** A node's answer to given bytes. */
export type Submission = { readonly kind: "taken" } | { readonly kind: "refused"; readonly words: string };

export interface KindOfTransfer {
  readonly kind: string;
  /** the body that the API is sent */
  readonly body: Readonly<Record<string, string | boolean>>;
  /** its expected effect on the chain */
  readonly expected: Pick<SeenTransaction, "recipient" | "amount" | "token">;
}

/** A wallet of the cluster, as a driver needs it. */
export interface DrivenWallet {
  readonly address: string;
  /** Broadcasts bytes of the caller's making (template `Transaction`); resolves once they are confirmed. */
  send(transaction: string): Promise<void>;
}

/** A kind of key, as a wallet is asked for it. */
export interface AskedKey {
  readonly scheme: string;
  readonly curve: string;
}

/**
 * A family's part of the conformance suite: the chain's own SDK, and of ours nothing but a ledger's admin
 * endpoint.
 */
export interface FamilyDriver {
  readonly network: string;
  /** smallest amount that a receiver can be sent whom nobody has paid before */
  readonly least: bigint;
  /** how histories show the coin that moved; undefined where that is NativeTransfer */
  readonly coinEvent?: "UtxoTransfer";
  /**
   * The address of a wallet's public key (hex), by the SDK.
   * @param scheme of the key, as the interface names it; the family's usual one unless it is said
   */
  addressOf(publicKey: string, scheme?: string): string;
  /** the key formats of wallets beside the usual one; undefined in families of one kind */
  readonly otherKey?: AskedKey;
  /** A transfer of the native coin to a receiver whom nobody has paid before. */
  native(amount: bigint): KindOfTransfer;
  /** One transfer of each kind, once everything is ready for them. @param wallet holds coins already */
  kinds(urls: NodeUrls, wallet: DrivenWallet): Promise<readonly KindOfTransfer[]>;
  read(urls: NodeUrls, txHash: string): Promise<SeenTransaction>;
  balance(urls: NodeUrls, address: string): Promise<bigint>;
  /** The same transaction, under the same signature, of a smallest unit more or less. @param signed a native transfer */
  altered(signed: Uint8Array): Uint8Array;
  /** how the node says that a signature is not of these bytes */
  readonly wrongSignature: RegExp;
  submit(urls: NodeUrls, signed: Uint8Array): Promise<Submission>;
  /**
   * Brings it about that the node knows nothing of a transaction that has landed; undefined where it judges a signature whether or
   * not the transaction could land again.
   */
  readonly forget?: (urls: NodeUrls, txHash: string) => Promise<void>;
  /** Brings it about that a waiting transaction lands, and its block is taken back; undefined where what lands is final for us. */
  readonly takeBack?: (urls: NodeUrls, txHash: string) => Promise<void>;
  /**
   * Brings it about that a waiting transaction can never land; undefined in families without a deadline, and where it is a time:
   * signers believe that by their own clocks alone, some minutes later.
   */
  readonly expire: ((urls: NodeUrls, txHash: string) => Promise<void>) | undefined;
}

/** POSTs to a ledger's admin endpoint. */
export const command = async ({ adminUrl }: NodeUrls, action: string, input: object = {}): Promise<void> => {
  const answer = await fetch(`${adminUrl}/${action}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  if (!answer.ok) throw new Error(`${action}: ${await answer.text()}`);
};

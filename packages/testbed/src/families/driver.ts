import type { NodeUrls } from "../networks/local-network.ts";

/** A transaction as the chain's own library reads it from the node. */
export interface SeenTransaction {
  readonly sender: string;
  readonly recipient: string;
  readonly amount: bigint;
  /** the token that was transferred; undefined for the native coin */
  readonly token: string | undefined;
  /** smallest unit of the native coin, as the node or the transaction's bytes state */
  readonly fee: bigint;
  /** whether a second library verifies the signature with the sender's key */
  readonly isSigned: boolean;
  /** the bytes that were broadcast */
  readonly signed: Uint8Array;
}

/** A node's answer to submitted bytes. */
export type Submission = { readonly kind: "taken" } | { readonly kind: "refused"; readonly words: string };

export interface KindOfTransfer {
  readonly kind: string;
  /** the body of the API request */
  readonly body: Readonly<Record<string, string | boolean>>;
  /** its expected effect on the chain */
  readonly expected: Pick<SeenTransaction, "recipient" | "amount" | "token">;
}

/** A wallet of the cluster, as a driver needs it. */
export interface DrivenWallet {
  readonly address: string;
  /** Broadcasts a transaction that the caller built (template `Transaction`); resolves once it is confirmed. */
  send(transaction: string): Promise<void>;
}

/** The kind of key that a wallet is requested with. */
export interface AskedKey {
  readonly scheme: string;
  readonly curve: string;
}

/**
 * A family's part of the conformance suite. It uses the chain's own SDK, and of this repository only a ledger's admin
 * endpoint.
 */
export interface FamilyDriver {
  readonly network: string;
  /** the minimum amount that can be sent to a new address */
  readonly least: bigint;
  /** the kind of the native coin's entries in histories; undefined for NativeTransfer */
  readonly coinEvent?: "UtxoTransfer";
  /**
   * The address of a wallet's public key (hex), by the SDK.
   * @param scheme of the key, as the API names it; by default the family's usual one
   */
  addressOf(publicKey: string, scheme?: string): string;
  /** a second kind of key that wallets of the family can have; undefined if there is only one */
  readonly otherKey?: AskedKey;
  /** A transfer of the native coin to a new address. */
  native(amount: bigint): KindOfTransfer;
  /** Prepares and returns one transfer of each kind. @param wallet already holds coins */
  kinds(urls: NodeUrls, wallet: DrivenWallet): Promise<readonly KindOfTransfer[]>;
  read(urls: NodeUrls, txHash: string): Promise<SeenTransaction>;
  balance(urls: NodeUrls, address: string): Promise<bigint>;
  /** Changes the amount of a transaction by one smallest unit, but keeps its signature. @param signed a native transfer */
  altered(signed: Uint8Array): Uint8Array;
  /** the node's error for a signature of other bytes */
  readonly wrongSignature: RegExp;
  submit(urls: NodeUrls, signed: Uint8Array): Promise<Submission>;
  /**
   * Makes the node forget a transaction that has landed; undefined where the node verifies signatures of transactions
   * that have landed already.
   */
  readonly forget?: (urls: NodeUrls, txHash: string) => Promise<void>;
  /**
   * Makes a waiting transaction land, and then undoes its block; undefined where the family treats landed transactions as
   * final.
   */
  readonly takeBack?: (urls: NodeUrls, txHash: string) => Promise<void>;
  /**
   * Makes a waiting transaction expire; undefined in families without a deadline, or with a time as deadline, because
   * signers judge that only by their own clocks, minutes later.
   */
  readonly expire: ((urls: NodeUrls, txHash: string) => Promise<void>) | undefined;
}

/** Performs an action of a ledger's admin endpoint. */
export const command = async ({ adminUrl }: NodeUrls, action: string, input: object = {}): Promise<void> => {
  const answer = await fetch(`${adminUrl}/${action}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  if (!answer.ok) throw new Error(`${action}: ${await answer.text()}`);
};

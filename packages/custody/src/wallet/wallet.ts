import type { Problem } from "../errors.ts";
import type { DomainEvent } from "../event.ts";
import type { KeyId, OrganisationId, UserId, WalletId } from "../identifiers.ts";
import type { KeyScheme } from "../key/key-format.ts";
import type { Network } from "../network.ts";
import type { Requester } from "../requester.ts";

/** A wallet has at most this many tags. */
export const TAGS_MAX = 10;

/** The fields of its key that a wallet shows; they are stored in the key's row. */
export interface WalletSigningKey {
  readonly scheme: KeyScheme;
  /** the key that verifies its signatures, lower-case hex without 0x: see `Key` */
  readonly publicKey: string;
  /** only for a Taproot key: the point whose shares the signers hold */
  readonly internalKey: string | undefined;
  /** the end user to whom the key belongs */
  readonly delegatedTo: UserId | undefined;
  readonly isImported: boolean;
  /** date of its first export */
  readonly dateExported: string | undefined;
}

interface WalletFacts {
  readonly id: WalletId;
  readonly orgId: OrganisationId;
  readonly keyId: KeyId;
  readonly name: string | undefined;
  readonly network: Network;
  readonly externalId: string | undefined;
  readonly tags: readonly string[];
  readonly requester: Requester;
  /** as the client sent it: a repeated request with the same externalId gets this wallet as its answer */
  readonly requestBody: Readonly<Record<string, unknown>>;
  /** ISO 8601 UTC */
  readonly dateCreated: string;
}

/** A wallet whose key the signers have not all activated yet; the API does not show it. */
export interface CreatingWallet extends WalletFacts {
  readonly status: "Creating";
}
interface KeyedWallet extends WalletFacts {
  readonly signingKey: WalletSigningKey;
  /** the network's address, with its checksum; undefined for a wallet of a pseudo network */
  readonly address: string | undefined;
}
export interface ActiveWallet extends KeyedWallet {
  readonly status: "Active";
}
/** A wallet that was deleted with its key: it is still readable, and accepts no more requests. */
export interface ArchivedWallet extends KeyedWallet {
  readonly status: "Archived";
  readonly dateDeleted: string;
}
/** A wallet whose creation failed: kept only to answer its caller. */
export interface FailedWallet extends WalletFacts {
  readonly status: "Failed";
  readonly problem: Problem;
}
export type Wallet = CreatingWallet | ActiveWallet | ArchivedWallet | FailedWallet;

/** A wallet with an address, which can send and receive. */
export type ChainWallet = (ActiveWallet | ArchivedWallet) & { readonly address: string };

/**
 * Whether the wallet has an address, also if it is archived by now: a request that was accepted before is
 * still carried out.
 */
export const isChainWallet = (wallet: Wallet): wallet is ChainWallet =>
  (wallet.status === "Active" || wallet.status === "Archived") && wallet.address !== undefined;

export type WalletEvent =
  | {
      readonly kind: "KeyActivated";
      readonly signingKey: WalletSigningKey;
      readonly address: string | undefined;
      readonly date: string;
    }
  | { readonly kind: "KeyGenerationFailed"; readonly problem: Problem }
  | {
      readonly kind: "KeyDelegated" | "KeyExported";
      readonly signingKey: WalletSigningKey;
      readonly date: string;
    }
  | { readonly kind: "KeyArchived"; readonly date: string }
  /** an absent field stays as it is, undefined removes it */
  | { readonly kind: "Updated"; readonly name?: string | undefined; readonly externalId?: string | undefined }
  | { readonly kind: "Tagged" | "Untagged"; readonly tags: readonly string[]; readonly date: string };

export interface WalletDecision {
  readonly wallet: Wallet;
  readonly events: readonly DomainEvent[];
}

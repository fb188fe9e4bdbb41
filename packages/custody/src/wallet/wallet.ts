import { fail, ok, type Problem, type Result } from "../errors.ts";
import type { DomainEvent, EventKind } from "../event.ts";
import type { KeyId, OrganisationId, UserId, WalletId } from "../identifiers.ts";
import type { KeyScheme } from "../key/key-format.ts";
import { hasAddresses, type Network } from "../network.ts";
import type { Requester } from "../requester.ts";
import { walletView } from "./wallet-view.ts";

/** A wallet has at most this many tags. */
export const TAGS_MAX = 10;

/** What a wallet knows of the key that it signs with; its key's row holds it. */
export interface SigningKey {
  readonly scheme: KeyScheme;
  /** lower-case hex without 0x: a 33-byte compressed point of secp256k1, or 32 bytes of Ed25519 */
  readonly publicKey: string;
  /** the end user whose key it is */
  readonly delegatedTo: UserId | undefined;
  readonly isImported: boolean;
  /** of its first export */
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
  /** as it was sent: the same request with the same externalId is answered with this wallet */
  readonly requestBody: Readonly<Record<string, unknown>>;
  /** ISO 8601 UTC */
  readonly dateCreated: string;
}

/** A wallet whose key the signers have not all activated yet; the API does not show it. */
export interface CreatingWallet extends WalletFacts {
  readonly status: "Creating";
}
interface KeyedWallet extends WalletFacts {
  readonly signingKey: SigningKey;
  /** the network's address, with its checksum; a wallet of a pseudo network has none */
  readonly address: string | undefined;
}
export interface ActiveWallet extends KeyedWallet {
  readonly status: "Active";
}
/** A wallet that was deleted with its key: it can be read, and takes no more requests. */
export interface ArchivedWallet extends KeyedWallet {
  readonly status: "Archived";
  readonly dateDeleted: string;
}
/** A wallet that never came to be: kept only to answer its caller. */
export interface FailedWallet extends WalletFacts {
  readonly status: "Failed";
  readonly problem: Problem;
}
export type Wallet = CreatingWallet | ActiveWallet | ArchivedWallet | FailedWallet;

/** A wallet that can be paid to and pay: one of a chain. */
export type ChainWallet = (ActiveWallet | ArchivedWallet) & { readonly address: string };

/** Whether the wallet is, or was, one of a chain: what was accepted before it was archived is carried out. */
export const isChainWallet = (wallet: Wallet): wallet is ChainWallet =>
  (wallet.status === "Active" || wallet.status === "Archived") && wallet.address !== undefined;

export type WalletEvent =
  | {
      readonly kind: "KeyActivated";
      readonly signingKey: SigningKey;
      readonly address: string | undefined;
      readonly date: string;
    }
  | { readonly kind: "KeyGenerationFailed"; readonly problem: Problem }
  | { readonly kind: "KeyDelegated" | "KeyExported"; readonly signingKey: SigningKey; readonly date: string }
  | { readonly kind: "KeyArchived"; readonly date: string }
  /** what is left out stays as it is, undefined takes it away */
  | { readonly kind: "Updated"; readonly name?: string | undefined; readonly externalId?: string | undefined }
  | { readonly kind: "Tagged" | "Untagged"; readonly tags: readonly string[]; readonly date: string };

export interface WalletDecision {
  readonly wallet: Wallet;
  readonly events: readonly DomainEvent[];
}

const happened = (
  kind: EventKind,
  wallet: ActiveWallet,
  date: string,
  more: Readonly<Record<string, unknown>> = {},
): DomainEvent => ({
  kind,
  orgId: wallet.orgId,
  entityId: wallet.id,
  date,
  data: { wallet: walletView(wallet), ...more },
});

/**
 * Moves a wallet on. A wallet that is being created comes to be or fails, once; everything else happens to active ones.
 *
 * A failed wallet gives up its externalId, so that the caller may repeat the very same request.
 *
 * @returns WalletNotFound when the wallet is in no state for the event; TagsTooMany
 */
export const decideWallet = (wallet: Wallet, event: WalletEvent): Result<WalletDecision> => {
  switch (event.kind) {
    case "KeyActivated": {
      if (wallet.status !== "Creating") return misfit(wallet);
      const { signingKey, address, date } = event;
      if (hasAddresses(wallet.network) !== (address !== undefined)) {
        throw new Error(`${wallet.id} on ${wallet.network} has the address ${address}`);
      }
      const active: ActiveWallet = { ...wallet, status: "Active", signingKey, address };
      return ok({ wallet: active, events: [happened("wallet.created", active, date)] });
    }
    case "KeyGenerationFailed":
      if (wallet.status !== "Creating") return misfit(wallet);
      return ok({
        wallet: { ...wallet, status: "Failed", externalId: undefined, problem: event.problem },
        events: [],
      });
    case "KeyDelegated":
    case "KeyExported": {
      if (wallet.status !== "Active") return misfit(wallet);
      const kind = event.kind === "KeyDelegated" ? "wallet.delegated" : "wallet.exported";
      const theirs = { ...wallet, signingKey: event.signingKey };
      return ok({ wallet: theirs, events: [happened(kind, theirs, event.date)] });
    }
    case "KeyArchived":
      if (wallet.status !== "Active") return misfit(wallet);
      return ok({ wallet: { ...wallet, status: "Archived", dateDeleted: event.date }, events: [] });
    case "Updated": {
      if (wallet.status !== "Active") return misfit(wallet);
      const { kind: _, ...changes } = event;
      return ok({ wallet: { ...wallet, ...changes }, events: [] });
    }
    case "Tagged":
    case "Untagged":
      return wallet.status === "Active" ? retagged(wallet, event) : misfit(wallet);
  }
};

const misfit = (wallet: Wallet): Result<never> =>
  fail(
    "WalletNotFound",
    { walletId: wallet.id, status: wallet.status },
    "the wallet is in no state for this",
  );

/** Tags that are there already are not added, those that are not there not removed; no change is no event. */
const retagged = (
  wallet: ActiveWallet,
  { kind, tags, date }: Extract<WalletEvent, { kind: "Tagged" | "Untagged" }>,
): Result<WalletDecision> => {
  const asked = [...new Set(tags)];
  const tagsAdded = kind === "Tagged" ? asked.filter((tag) => !wallet.tags.includes(tag)) : [];
  const tagsRemoved = kind === "Untagged" ? asked.filter((tag) => wallet.tags.includes(tag)) : [];
  if (tagsAdded.length + tagsRemoved.length === 0) return ok({ wallet, events: [] });
  const left = [...wallet.tags.filter((tag) => !tagsRemoved.includes(tag)), ...tagsAdded];
  if (left.length > TAGS_MAX) return fail("TagsTooMany", { field: "tags", most: TAGS_MAX });
  const changed = { ...wallet, tags: left };
  const told = happened("wallet.tags.modified", changed, date, { tagsAdded, tagsRemoved });
  return ok({ wallet: changed, events: [told] });
};

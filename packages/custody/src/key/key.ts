import type { SignedAuthorisation } from "../authorisation/signed-authorisation.ts";
import { fail, ok, type Problem, type Result } from "../errors.ts";
import type { DomainEvent } from "../event.ts";
import type { KeyId, OrganisationId, UserId } from "../identifiers.ts";
import type { Network } from "../network.ts";
import type { Requester } from "../requester.ts";
import type { Wallet, WalletSigningKey } from "../wallet/wallet.ts";
import type { KeyScheme } from "./key-format.ts";

interface KeyFacts {
  readonly id: KeyId;
  readonly orgId: OrganisationId;
  readonly name: string | undefined;
  readonly scheme: KeyScheme;
  /** made by the signers together, or sharded for them by a client */
  readonly origin: "generated" | "imported";
  readonly requester: Requester;
  /** of the key's generation or import */
  readonly authorisation: SignedAuthorisation;
  /** whether it may become an end user's later: only a key that was made for it may */
  readonly isDelegable: boolean;
  /** the end user whose key it is */
  readonly delegatedTo: UserId | undefined;
  /** ISO 8601 UTC */
  readonly dateCreated: string;
}

/** A key whose shares the signers have not all activated yet; the API does not show it. */
export interface CreatingKey extends KeyFacts {
  readonly status: "Creating";
}
interface MadeKey extends KeyFacts {
  /**
   * Under which its signatures verify, lower-case hex without 0x: a 33-byte compressed point of secp256k1; 32 bytes of Ed25519 or
   * BIP-340; of a Taproot key BIP-341's output key without a script tree
   */
  readonly publicKey: string;
  /** of a Taproot key: the point that its shares are of, 33 bytes compressed, in hex; undefined of one that an older version made */
  readonly internalKey: string | undefined;
  /** of its first export */
  readonly dateExported: string | undefined;
}
export interface ActiveKey extends MadeKey {
  readonly status: "Active";
}
/** A key that nobody uses any more, nor its wallets. The signers still hold their shares. */
export interface ArchivedKey extends MadeKey {
  readonly status: "Archived";
  readonly dateDeleted: string;
}
/** A key that never came to be: kept only to answer its caller and to discard shares. */
export interface FailedKey extends KeyFacts {
  readonly status: "Failed";
  readonly problem: Problem;
}
export type Key = CreatingKey | ActiveKey | ArchivedKey | FailedKey;

export type KeyEvent =
  /** all signers hold an active share */
  | {
      readonly kind: "Activated";
      readonly publicKey: string;
      /** of a Taproot key */
      readonly internalKey?: string | undefined;
      /** of the key on the networks of the wallets that wait for it; pseudo networks have none */
      readonly addresses: ReadonlyMap<Network, string>;
      readonly date: string;
    }
  | { readonly kind: "GenerationFailed"; readonly problem: Problem }
  | { readonly kind: "Renamed"; readonly name: string | undefined }
  | { readonly kind: "Delegated"; readonly to: UserId; readonly date: string }
  | { readonly kind: "Exported"; readonly date: string }
  | { readonly kind: "Archived"; readonly date: string };

export interface KeyDecision {
  readonly key: Key;
  /** the wallets that change with it */
  readonly wallets: readonly Wallet[];
  readonly events: readonly DomainEvent[];
}

/** The fields of its key that a wallet shows. */
export const signingKeyOf = (key: ActiveKey | ArchivedKey): WalletSigningKey => ({
  scheme: key.scheme,
  publicKey: key.publicKey,
  internalKey: key.internalKey,
  delegatedTo: key.delegatedTo,
  isImported: key.origin === "imported",
  dateExported: key.dateExported,
});

/** Whether a user may sign with a key: one that was delegated is its end user's alone. KeyDelegated otherwise. */
export const judgeKeyUser = (
  { delegatedTo }: { readonly delegatedTo: UserId | undefined },
  userId: UserId,
): Result<void> =>
  delegatedTo === undefined || delegatedTo === userId ? ok(undefined) : fail("KeyDelegated", { delegatedTo });

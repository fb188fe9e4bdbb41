import type { SignedAuthorisation } from "../authorisation/signed-authorisation.ts";
import { fail, ok, type Problem, type Result } from "../errors.ts";
import type { DomainEvent, EventKind } from "../event.ts";
import type { KeyId, OrganisationId, UserId } from "../identifiers.ts";
import type { Network } from "../network.ts";
import type { Requester } from "../requester.ts";
import { decideWallet, type SigningKey, type Wallet, type WalletEvent } from "../wallet/wallet.ts";
import type { KeyScheme } from "./key-format.ts";
import { keyView } from "./key-view.ts";

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
  /** lower-case hex without 0x: a 33-byte compressed point of secp256k1, or 32 bytes of Ed25519 */
  readonly publicKey: string;
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

/** What a wallet shows of the key that it signs with. */
export const signingKeyOf = (key: ActiveKey | ArchivedKey): SigningKey => ({
  scheme: key.scheme,
  publicKey: key.publicKey,
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

const happened = (kind: EventKind, key: ActiveKey | ArchivedKey, date: string): DomainEvent => ({
  kind,
  orgId: key.orgId,
  entityId: key.id,
  date,
  data: { key: keyView(key) },
});

/**
 * Moves a key on, and its wallets with it: `(key, wallets, event) → key' + wallets' + events to emit` (INV-6).
 *
 * @param wallets all wallets of the key
 * @returns KeyNotFound when the key is not in a state for the event: a settled key never changes back, and what is not
 *   active does not change; KeyNotDelegable for a key that was not made to be delegated, or is another's already
 */
export const decideKey = (key: Key, wallets: readonly Wallet[], event: KeyEvent): Result<KeyDecision> => {
  switch (event.kind) {
    case "Activated":
    case "GenerationFailed":
      return key.status === "Creating" ? settled(key, wallets, event) : misfit(key);
    case "Renamed":
      return key.status === "Active"
        ? ok({ key: { ...key, name: event.name }, wallets: [], events: [] })
        : misfit(key);
    case "Delegated":
      return key.status === "Active" ? delegated(key, wallets, event) : misfit(key);
    case "Exported": {
      if (key.status !== "Active") return misfit(key);
      const exported = { ...key, dateExported: key.dateExported ?? event.date };
      return changed(exported, "key.exported", wallets, {
        kind: "KeyExported",
        signingKey: signingKeyOf(exported),
        date: event.date,
      });
    }
    case "Archived": {
      if (key.status !== "Active") return misfit(key);
      const archived: ArchivedKey = { ...key, status: "Archived", dateDeleted: event.date };
      return changed(archived, "key.deleted", wallets, { kind: "KeyArchived", date: event.date });
    }
  }
};

const misfit = (key: Key): Result<never> =>
  fail("KeyNotFound", { keyId: key.id, status: key.status }, "the key is in no state for this");

const settled = (
  key: CreatingKey,
  wallets: readonly Wallet[],
  event: Extract<KeyEvent, { kind: "Activated" | "GenerationFailed" }>,
): Result<KeyDecision> => {
  if (event.kind === "GenerationFailed") {
    const { problem } = event;
    const failed: FailedKey = { ...key, status: "Failed", problem };
    return ok(moved(failed, [], wallets, () => ({ kind: "KeyGenerationFailed", problem })));
  }
  const { publicKey, addresses, date } = event;
  const active: ActiveKey = { ...key, status: "Active", publicKey, dateExported: undefined };
  const signingKey = signingKeyOf(active);
  return ok(
    moved(active, [happened("key.created", active, date)], wallets, ({ network }) => ({
      kind: "KeyActivated",
      signingKey,
      address: addresses.get(network),
      date,
    })),
  );
};

const delegated = (
  key: ActiveKey,
  wallets: readonly Wallet[],
  { to, date }: Extract<KeyEvent, { kind: "Delegated" }>,
): Result<KeyDecision> => {
  if (key.delegatedTo === to) return ok({ key, wallets: [], events: [] });
  if (!key.isDelegable || key.delegatedTo !== undefined) return fail("KeyNotDelegable", { keyId: key.id });
  const theirs: ActiveKey = { ...key, delegatedTo: to };
  const signingKey = signingKeyOf(theirs);
  return changed(theirs, "key.delegated", wallets, { kind: "KeyDelegated", signingKey, date });
};

const changed = (
  key: ActiveKey | ArchivedKey,
  kind: EventKind,
  wallets: readonly Wallet[],
  event: WalletEvent & { readonly date: string },
): Result<KeyDecision> => ok(moved(key, [happened(kind, key, event.date)], wallets, () => event));

/** Wallets that the event does not fit stay as they are: one that failed is no part of its key any more. */
const moved = (
  key: Key,
  events: readonly DomainEvent[],
  wallets: readonly Wallet[],
  eventFor: (wallet: Wallet) => WalletEvent,
): KeyDecision => {
  const decided = wallets.flatMap((wallet) => {
    const decision = decideWallet(wallet, eventFor(wallet));
    return decision.ok ? [decision.value] : [];
  });
  return {
    key,
    wallets: decided.map(({ wallet }) => wallet),
    events: [...events, ...decided.flatMap((decision) => decision.events)],
  };
};

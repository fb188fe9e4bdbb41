import { fail, ok, type Result } from "../errors.ts";
import type { DomainEvent, EventKind } from "../event.ts";
import type { Wallet, WalletEvent } from "../wallet/wallet.ts";
import { decideWallet } from "../wallet/wallet-decision.ts";
import {
  type ActiveKey,
  type ArchivedKey,
  type CreatingKey,
  type FailedKey,
  type Key,
  type KeyDecision,
  type KeyEvent,
  signingKeyOf,
} from "./key.ts";
import { keyView } from "./key-view.ts";

const happened = (kind: EventKind, key: ActiveKey | ArchivedKey, date: string): DomainEvent => ({
  kind,
  orgId: key.orgId,
  entityId: key.id,
  date,
  data: { key: keyView(key) },
});

/**
 * Changes the state of a key and of its wallets: `(key, wallets, event) → key' + wallets' + events to emit`
 * (INV-6).
 *
 * @param wallets all wallets of the key
 * @returns KeyNotFound when the event does not fit the key's state: an activated or failed key keeps its
 * result, and only an active key changes; KeyNotDelegable for a key that was not made to be delegated, or is
 * delegated to another user
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
  const { publicKey, internalKey, addresses, date } = event;
  const active: ActiveKey = { ...key, status: "Active", publicKey, internalKey, dateExported: undefined };
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

/** Leaves wallets unchanged that the event does not fit: a failed wallet no longer belongs to its key. */
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

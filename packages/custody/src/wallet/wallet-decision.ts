import { fail, ok, type Result } from "../errors.ts";
import type { DomainEvent, EventKind } from "../event.ts";
import { hasAddresses } from "../network.ts";
import { type ActiveWallet, TAGS_MAX, type Wallet, type WalletDecision, type WalletEvent } from "./wallet.ts";
import { walletView } from "./wallet-view.ts";

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
 * Changes the state of a wallet. A wallet in creation becomes active or fails, once; all other events apply
 * to active wallets only.
 *
 * A failed wallet releases its externalId, so that the caller may repeat the same request.
 *
 * @returns WalletNotFound when the event does not fit the wallet's state; TagsTooMany
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

/** Adds missing tags, or removes existing ones; without a change there is no event. */
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
  const tagsModified = happened("wallet.tags.modified", changed, date, { tagsAdded, tagsRemoved });
  return ok({ wallet: changed, events: [tagsModified] });
};

import type { TransferBody } from "../chain-request/transfer-body.ts";
import type { DomainEvent } from "../event.ts";
import type { FamilyTable } from "../families/rules.ts";
import type { DepositId, OrganisationId, WalletId } from "../identifiers.ts";
import type { Asset, Network } from "../network.ts";
import { type HistoryEntry, historyEntryView } from "./history.ts";

/** What a transaction of anybody's brought to a wallet, in a block that is final. */
export interface Deposit {
  readonly id: DepositId;
  readonly orgId: OrganisationId;
  readonly walletId: WalletId;
  readonly network: Network;
  readonly txHash: string;
  /** among what its block brought */
  readonly place: string;
  /** absent where the chain names no sender */
  readonly from: string | undefined;
  /** as a transfer of it would be asked for */
  readonly moved: TransferBody;
  readonly asset: Asset;
  readonly blockNumber: bigint;
  /** ISO 8601 UTC: when it was seen in a final block */
  readonly date: string;
}

/** A deposit in its wallet's history. */
const depositEntry = (deposit: Omit<Deposit, "id">, id: string): HistoryEntry => ({
  id,
  direction: "In",
  network: deposit.network,
  from: deposit.from,
  requestBody: deposit.moved,
  asset: deposit.asset,
  txHash: deposit.txHash,
  blockNumber: deposit.blockNumber,
  fee: undefined,
  dateConfirmed: deposit.date,
});

/**
 * The event of a deposit (wire interface, section D.4).
 * @returns undefined for a kind that is not shown in histories
 */
export const depositDetected = (
  families: FamilyTable,
  deposit: Omit<Deposit, "id">,
): DomainEvent | undefined => {
  const shown = historyEntryView(families, deposit.walletId, depositEntry(deposit, deposit.txHash));
  if (shown === undefined) return undefined;
  return {
    kind: "wallet.blockchainevent.detected",
    orgId: deposit.orgId,
    entityId: deposit.walletId,
    date: deposit.date,
    data: { blockchainEvent: { ...shown, status: "Confirmed" } },
  };
};

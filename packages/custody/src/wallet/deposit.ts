import { parseAmount, parseTokenId, TOKEN_UNIT } from "../amount.ts";
import { type TransferBody, transferBodySchema } from "../chain-request/transfer-body.ts";
import type { DomainEvent } from "../event.ts";
import type { FamilyTable } from "../families/rules.ts";
import {
  type DepositId,
  depositIdSchema,
  eventIdSchema,
  idFrom,
  type OrganisationId,
  type WalletId,
} from "../identifiers.ts";
import { type Asset, type Network, transferAssetSchema } from "../network.ts";
import { plainText } from "../text.ts";
import { type HistoryEntry, historyEntryView } from "./history.ts";

/** A movement into a wallet by any transaction, in a final block. */
export interface Deposit {
  readonly id: DepositId;
  readonly orgId: OrganisationId;
  readonly walletId: WalletId;
  readonly network: Network;
  readonly txHash: string;
  /** identifies it among the movements of its transaction to the wallet */
  readonly place: string;
  /** absent where the chain names no sender */
  readonly from: string | undefined;
  /** in the form of a transfer's body */
  readonly moved: TransferBody;
  readonly asset: Asset;
  readonly blockNumber: bigint;
  /** ISO 8601 UTC: date of the block; when it was seen in a final block, where the node gives no date */
  readonly date: string;
}

/** The longest text that is stored; the longest real ones are memos and names of tokens. */
const LONGEST_TEXT = 2_048;
const storableText = plainText(LONGEST_TEXT);

/** The moved asset, checked as readers of the record need it: a row may hold any text in place of an amount. */
export const movedSchema = transferBodySchema.refine(
  (body) => ("amount" in body ? parseAmount(body.amount, TOKEN_UNIT) : parseTokenId(body.tokenId)).ok,
  "has no amount, or no token's id",
);

const isStorable = (value: unknown): boolean =>
  typeof value !== "object" || value === null
    ? typeof value !== "string" || storableText.safeParse(value).success
    : Object.values(value).every(isStorable);

/**
 * Checks a node's data about a movement before they are stored, so that every reader of the record can parse it.
 * @returns the movement, without its asset if that cannot be shown; undefined when the other fields are
 * unreadable
 */
export const storableMovement = <
  Movement extends Pick<Deposit, "moved" | "txHash" | "place" | "from" | "asset">,
>(
  movement: Movement,
): Movement | undefined => {
  const { moved, txHash, place, from, asset } = movement;
  const body = movedSchema.safeParse(moved);
  if (!body.success || ![body.data, txHash, place, from].every(isStorable)) return undefined;
  const isShown = transferAssetSchema.safeParse(asset).success && isStorable(asset);
  return { ...movement, moved: body.data, asset: isShown ? asset : {} };
};

/** The id of a deposit. It derives from the movement, so that a deposit that a database lost gets the same id again. */
export const depositIdOf = ({
  walletId,
  network,
  txHash,
  place,
}: Pick<Deposit, "walletId" | "network" | "txHash" | "place">): DepositId =>
  idFrom(depositIdSchema, "dep", [walletId, network, txHash, place]);

const DETECTED = "wallet.blockchainevent.detected";

/** A deposit as an entry of its wallet's history. */
const depositEntry = (deposit: Omit<Deposit, "id">, id: DepositId): HistoryEntry => ({
  id,
  direction: "In",
  network: deposit.network,
  from: deposit.from,
  requestBody: deposit.moved,
  asset: deposit.asset,
  txHash: deposit.txHash,
  place: deposit.place,
  blockNumber: deposit.blockNumber,
  fee: undefined,
  dateConfirmed: deposit.date,
});

/**
 * The event of a deposit (wire interface, section D.4).
 * @param seen ISO 8601 UTC: when the deposit was seen in a final block
 * @returns undefined for a kind that histories do not show
 */
export const depositDetected = (
  families: FamilyTable,
  deposit: Omit<Deposit, "id">,
  seen: string,
): DomainEvent | undefined => {
  const id = depositIdOf(deposit);
  const shown = historyEntryView(families, deposit.walletId, depositEntry(deposit, id));
  if (shown === undefined) return undefined;
  return {
    id: idFrom(eventIdSchema, "evt", [id, DETECTED]),
    kind: DETECTED,
    orgId: deposit.orgId,
    entityId: deposit.walletId,
    date: seen,
    data: { blockchainEvent: { ...shown, status: "Confirmed" } },
  };
};

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

/** The deposit of anybody's transaction into a wallet, in a block that is final. */
export interface Deposit {
  readonly id: DepositId;
  readonly orgId: OrganisationId;
  readonly walletId: WalletId;
  readonly network: Network;
  readonly txHash: string;
  /** among what its transaction brought to the wallet */
  readonly place: string;
  /** absent where the chain names no sender */
  readonly from: string | undefined;
  /** as a transfer of it would be asked for */
  readonly moved: TransferBody;
  readonly asset: Asset;
  readonly blockNumber: bigint;
  /** ISO 8601 UTC: when the chain made its block; where the node did not tell it, when it was seen in a final block */
  readonly date: string;
}

/** Text that a database holds. The longest is a memo or a name of a token. */
const LONGEST_TEXT = 2_048;
const storableText = plainText(LONGEST_TEXT);

/** The moved asset, as readers take it: a row may hold a text where an amount belongs. */
export const movedSchema = transferBodySchema.refine(
  (body) => ("amount" in body ? parseAmount(body.amount, TOKEN_UNIT) : parseTokenId(body.tokenId)).ok,
  "has no amount, or no token's id",
);

const isStorable = (value: unknown): boolean =>
  typeof value !== "object" || value === null
    ? typeof value !== "string" || storableText.safeParse(value).success
    : Object.values(value).every(isStorable);

/**
 * Judges what a node tells before it is stored: every reader of the record takes it.
 * @returns the deposit, without an asset that cannot be shown; undefined when the rest cannot be read again
 */
export const storableDeposit = (deposit: Omit<Deposit, "id">): Omit<Deposit, "id"> | undefined => {
  const { moved, txHash, place, from, asset } = deposit;
  const body = movedSchema.safeParse(moved);
  if (!body.success || ![body.data, txHash, place, from].every(isStorable)) return undefined;
  const isShown = transferAssetSchema.safeParse(asset).success && isStorable(asset);
  return { ...deposit, moved: body.data, asset: isShown ? asset : {} };
};

/** The id of a deposit. The same movement has the same one, also where a database has forgotten it, and it is read again. */
export const depositIdOf = ({
  walletId,
  network,
  txHash,
  place,
}: Pick<Deposit, "walletId" | "network" | "txHash" | "place">): DepositId =>
  idFrom(depositIdSchema, "dep", [walletId, network, txHash, place]);

const DETECTED = "wallet.blockchainevent.detected";

/** A deposit in its wallet's history. */
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
 * @param seen ISO 8601 UTC: when it was seen in a final block
 * @returns undefined for a kind that is not shown in histories
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

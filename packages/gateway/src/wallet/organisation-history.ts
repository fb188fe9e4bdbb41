import { type FamilyTable, familyOf, type TransferBody } from "@conclave/custody";
import { listOrganisationHistory, type OrganisationMovement } from "@conclave/platform";
import type { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { readPage } from "../http/pagination.ts";
import type { organisationHistoryQuerySchema } from "../schemas/holding.ts";
import type { WalletViewer } from "./visible-wallet.ts";

/**
 * The payments of an organisation's wallets within a time (SDK 0.8.21, `listOrgWalletHistory`); an end user gets those
 * of its own wallets.
 * @throws Refused PaginationTokenInvalid
 */
export const organisationHistory = async (
  { database, families }: Pick<Dependencies, "database" | "families">,
  { orgId, userId, isEndUser }: WalletViewer,
  { startTime, endTime, ...query }: z.output<typeof organisationHistoryQuerySchema>,
) => {
  const asked = { orgId, start: startTime, end: endTime, ownerId: isEndUser === true ? userId : undefined };
  const { items, next } = await readPage(
    query,
    (page) => listOrganisationHistory(database, asked, page),
    ({ dateConfirmed }) => dateConfirmed,
  );
  return { orgId, items: items.map((movement) => shown(families, movement)), ...next };
};

/** The name of an asset on its chain; `Native` for the coin. */
const assetOf = (body: TransferBody): string => {
  switch (body.kind) {
    case "Native":
      return "Native";
    case "Asa":
      return body.assetId;
    case "Sep41":
      return `${body.assetCode}:${body.issuer}`;
    case "Spl":
    case "Spl2022":
      return body.mint;
    case "Trc10":
      return body.tokenId;
    case "Erc20":
    case "Erc721":
    case "Trc20":
    case "Trc721":
      return body.contract;
  }
};

const howMuch = (body: TransferBody): { readonly amount: string } | { readonly tokenId: string } =>
  body.kind === "Erc721" || body.kind === "Trc721" ? { tokenId: body.tokenId } : { amount: body.amount };

const shown = (families: FamilyTable, movement: OrganisationMovement) => {
  const { walletId, network, direction, from, moved, symbol, decimals, fee, txHash, place, dateConfirmed } =
    movement;
  const native = families.find(familyOf(network))?.nativeAsset(network);
  return {
    timestamp: dateConfirmed,
    walletId,
    network,
    direction,
    ...(from === undefined ? {} : { from }),
    to: moved.to,
    ...howMuch(moved),
    asset: assetOf(moved),
    ...(symbol === undefined ? {} : { symbol }),
    ...(decimals === undefined ? {} : { decimals: String(decimals) }),
    ...(fee === undefined ? {} : { fee }),
    ...(fee === undefined || native?.symbol === undefined ? {} : { feeSymbol: native.symbol }),
    ...(fee === undefined || native?.decimals === undefined ? {} : { feeDecimals: String(native.decimals) }),
    txHash,
    ...(place === undefined ? {} : { index: place }),
    ...("memo" in moved && moved.memo !== undefined ? { memo: moved.memo } : {}),
  };
};

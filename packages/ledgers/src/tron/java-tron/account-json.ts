import type { LedgerJson } from "../../json.ts";
import type { JavaTronAddress } from "../address.ts";
import type { JavaTronAccount } from "../books.ts";
import { type JavaTronPrices, TOTAL_ENERGY_LIMIT, TOTAL_NET_LIMIT } from "../parameters.ts";
import { javaTronFreeNetUsed } from "../rules/bandwidth.ts";
import { javaTronAddressJson, unlessJavaTronZero } from "./transaction-json.ts";

/** The transaction types that the active permission may sign: by default all. */
const ALL_OPERATIONS = "7fff1fc0033ec30f000000000000000000000000000000000000000000000000";
const NET_WINDOW_SLOTS = 28_800;

const assetsJson = ({ assets }: JavaTronAccount): LedgerJson => {
  const held = [...assets].filter(([, amount]) => amount > 0n);
  return held.length > 0 ? held.map(([key, value]) => ({ key, value })) : undefined;
};

/** An account in the JSON of a node. */
export const javaTronAccountJson = (
  address: JavaTronAddress,
  account: JavaTronAccount,
  visible: boolean,
): LedgerJson => {
  const shown = javaTronAddressJson(address, visible);
  const keys = [{ address: shown, weight: 1 }];
  const active = {
    type: "Active",
    id: 2,
    permission_name: "active",
    threshold: 1,
    operations: ALL_OPERATIONS,
    keys,
  };
  return {
    address: shown,
    balance: unlessJavaTronZero(account.balance),
    create_time: unlessJavaTronZero(account.createTime),
    latest_opration_time: unlessJavaTronZero(account.latestOperationTime),
    free_net_usage: unlessJavaTronZero(account.freeNetUsage),
    latest_consume_free_time: unlessJavaTronZero(account.latestConsumeFreeTime),
    type: account.isContract ? "Contract" : undefined,
    net_window_size: NET_WINDOW_SLOTS,
    net_window_optimized: true,
    account_resource: { energy_window_size: NET_WINDOW_SLOTS, energy_window_optimized: true },
    owner_permission: account.isContract ? undefined : { permission_name: "owner", threshold: 1, keys },
    active_permission: account.isContract ? undefined : [active],
    frozenV2: [{}, { type: "ENERGY" }, { type: "TRON_POWER" }],
    assetV2: assetsJson(account),
    asset_issued_ID: account.issuedAsset,
    asset_optimized: true,
  };
};

/** The bandwidth of an account. @param time milliseconds since 1970 */
export const javaTronNetJson = (
  account: JavaTronAccount,
  prices: JavaTronPrices,
  time: number,
): LedgerJson => ({
  freeNetUsed: unlessJavaTronZero(javaTronFreeNetUsed(account, time)),
  freeNetLimit: prices.freeNetLimit,
  TotalNetLimit: TOTAL_NET_LIMIT,
});

/** The bandwidth and energy of an account. Nobody stakes, so all energy is paid for. */
export const javaTronResourceJson = (
  account: JavaTronAccount,
  prices: JavaTronPrices,
  time: number,
): LedgerJson => ({
  freeNetUsed: unlessJavaTronZero(javaTronFreeNetUsed(account, time)),
  freeNetLimit: prices.freeNetLimit,
  TotalNetLimit: TOTAL_NET_LIMIT,
  TotalEnergyLimit: TOTAL_ENERGY_LIMIT,
});

import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import type { JavaTronAddress } from "../address.ts";
import type { JavaTronAsset, JavaTronContract } from "../books.ts";
import { type JavaTronPrices, TOTAL_ENERGY_LIMIT, TOTAL_NET_LIMIT } from "../parameters.ts";
import { readJavaTronAbi } from "../transaction/abi.ts";
import { javaTronAddressJson, javaTronTextJson, unlessJavaTronZero } from "./transaction-json.ts";

/** The committee's parameters that this ledger has. */
export const javaTronParametersJson = (prices: JavaTronPrices): LedgerJson => {
  const values: Readonly<Record<string, bigint | number>> = {
    getMaintenanceTimeInterval: 21_600_000,
    getCreateAccountFee: prices.createAccountFee,
    getTransactionFee: prices.transactionFee,
    getAssetIssueFee: prices.assetIssueFee,
    getCreateNewAccountFeeInSystemContract: prices.createNewAccountFee,
    getCreateNewAccountBandwidthRate: 1,
    getEnergyFee: prices.energyFee,
    getMaxCpuTimeOfOneTx: 80,
    getTotalEnergyCurrentLimit: TOTAL_ENERGY_LIMIT,
    getTotalEnergyLimit: TOTAL_ENERGY_LIMIT,
    getTotalNetLimit: TOTAL_NET_LIMIT,
    getFreeNetLimit: prices.freeNetLimit,
    getMaxFeeLimit: prices.maxFeeLimit,
    getMemoFee: prices.memoFee,
    getAllowSameTokenName: 1,
    getForbidTransferToContract: 1,
  };
  return { chainParameter: Object.entries(values).map(([key, value]) => ({ key, value })) };
};

/** A TRC-10 asset in the JSON of a node. */
export const javaTronAssetJson = (id: string, asset: JavaTronAsset, visible: boolean): LedgerJson => ({
  owner_address: javaTronAddressJson(asset.owner, visible),
  name: javaTronTextJson(asset.name, visible),
  abbr: javaTronTextJson(asset.abbreviation, visible),
  total_supply: asset.totalSupply,
  trx_num: asset.trxNumber,
  precision: unlessJavaTronZero(asset.precision),
  num: asset.number,
  start_time: asset.startTime,
  end_time: asset.endTime,
  description: javaTronTextJson(asset.description, visible),
  url: javaTronTextJson(asset.url, visible),
  free_asset_net_limit: unlessJavaTronZero(asset.freeNetLimit),
  public_free_asset_net_limit: unlessJavaTronZero(asset.publicFreeNetLimit),
  id,
});

/** A contract in the JSON of a node. */
export const javaTronContractJson = (
  address: JavaTronAddress,
  contract: JavaTronContract,
  visible: boolean,
): Readonly<Record<string, LedgerJson>> => ({
  bytecode: bytesToHex(contract.bytecode),
  consume_user_resource_percent: unlessJavaTronZero(contract.consumeUserPercent),
  name: contract.name || undefined,
  origin_address: javaTronAddressJson(contract.origin, visible),
  abi: readJavaTronAbi(contract.abi),
  origin_energy_limit: unlessJavaTronZero(contract.originEnergyLimit),
  contract_address: javaTronAddressJson(address, visible),
  code_hash: bytesToHex(keccak_256(contract.code)),
});

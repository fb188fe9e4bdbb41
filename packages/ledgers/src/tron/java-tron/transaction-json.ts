import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import { type JavaTronAddress, toJavaTronBase58 } from "../address.ts";
import type { JavaTronReceipt } from "../rules/applied.ts";
import { readJavaTronAbi } from "../transaction/abi.ts";
import type { JavaTronSubmission, JavaTronTransaction } from "../transaction/transaction.ts";

/** T… if the request is `visible`, otherwise hex. */
export const javaTronAddressJson = (address: JavaTronAddress, visible: boolean): string =>
  visible ? toJavaTronBase58(address) : address;

/** Text if the request is `visible`, otherwise hex. */
export const javaTronTextJson = (bytes: Uint8Array, visible: boolean): string | undefined => {
  if (bytes.length === 0) return undefined;
  return visible ? new TextDecoder().decode(bytes) : bytesToHex(bytes);
};

/** Leaves out zero, as the JSON of protobuf does. */
export const unlessJavaTronZero = <T extends number | bigint>(value: T): T | undefined =>
  value === 0 || value === 0n ? undefined : value;

const hexUnlessEmpty = (bytes: Uint8Array): string | undefined =>
  bytes.length === 0 ? undefined : bytesToHex(bytes);

const valueJson = ({ owner, act }: JavaTronTransaction, visible: boolean): LedgerJson => {
  const owner_address = javaTronAddressJson(owner, visible);
  switch (act.type) {
    case "AccountCreateContract":
      return { owner_address, account_address: javaTronAddressJson(act.account, visible) };
    case "TransferContract":
      return {
        amount: unlessJavaTronZero(act.amount),
        owner_address,
        to_address: javaTronAddressJson(act.to, visible),
      };
    case "TransferAssetContract":
      return {
        amount: unlessJavaTronZero(act.amount),
        asset_name: javaTronTextJson(utf8ToBytes(act.assetId), visible),
        owner_address,
        to_address: javaTronAddressJson(act.to, visible),
      };
    case "TriggerSmartContract":
      return {
        data: hexUnlessEmpty(act.data),
        owner_address,
        contract_address: javaTronAddressJson(act.contract, visible),
        call_value: unlessJavaTronZero(act.callValue),
      };
    case "AssetIssueContract":
      return {
        owner_address,
        name: javaTronTextJson(act.asset.name, visible),
        abbr: javaTronTextJson(act.asset.abbreviation, visible),
        total_supply: act.asset.totalSupply,
        trx_num: act.asset.trxNumber,
        precision: unlessJavaTronZero(act.asset.precision),
        num: act.asset.number,
        start_time: act.asset.startTime,
        end_time: act.asset.endTime,
        description: javaTronTextJson(act.asset.description, visible),
        url: javaTronTextJson(act.asset.url, visible),
        free_asset_net_limit: unlessJavaTronZero(act.asset.freeNetLimit),
        public_free_asset_net_limit: unlessJavaTronZero(act.asset.publicFreeNetLimit),
      };
    case "CreateSmartContract":
      return {
        owner_address,
        new_contract: {
          bytecode: bytesToHex(act.contract.bytecode),
          consume_user_resource_percent: unlessJavaTronZero(act.contract.consumeUserPercent),
          name: act.contract.name || undefined,
          origin_address: owner_address,
          abi: readJavaTronAbi(act.contract.abi),
          origin_energy_limit: act.contract.originEnergyLimit,
          call_value: unlessJavaTronZero(act.contract.callValue),
        },
      };
  }
};

/** A transaction in the JSON of a node. @param receipt its result, if a block holds it */
export const javaTronTransactionJson = (
  { id, transaction, rawData, signatures }: Omit<JavaTronSubmission, "size">,
  visible: boolean,
  receipt?: JavaTronReceipt,
): Readonly<Record<string, LedgerJson>> => ({
  ret: receipt === undefined ? undefined : [{ contractRet: receipt.result }],
  visible,
  signature: signatures.length > 0 ? signatures.map((each) => bytesToHex(each)) : undefined,
  txID: id,
  raw_data: {
    contract: [
      {
        parameter: {
          value: valueJson(transaction, visible),
          type_url: `type.googleapis.com/protocol.${transaction.act.type}`,
        },
        type: transaction.act.type,
        Permission_id: unlessJavaTronZero(transaction.permissionId),
      },
    ],
    ref_block_bytes: bytesToHex(transaction.refBlockBytes),
    ref_block_hash: bytesToHex(transaction.refBlockHash),
    expiration: transaction.expiration,
    data: hexUnlessEmpty(transaction.data),
    fee_limit: unlessJavaTronZero(transaction.feeLimit),
    timestamp: unlessJavaTronZero(transaction.timestamp),
  },
  raw_data_hex: bytesToHex(rawData),
});

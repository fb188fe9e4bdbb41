import { xdrAccountId } from "./account.ts";
import { xdrTrustLineAsset } from "./asset.ts";
import { type XdrValue, xdrBytes, xdrStruct, xdrUnion, xdrWritten } from "./codec.ts";
import { xdrContractAddress, xdrContractValue, xdrDurability } from "./contract-value.ts";
import { xdr } from "./sdk.ts";

/** The keys of the ledger's entries. */
export const xdrLedgerKey = xdrUnion(xdr.LedgerKey, {
  account: xdrStruct(xdr.LedgerKeyAccount, { account: ["accountId", xdrAccountId] }),
  trustLine: [
    "trustline",
    xdrStruct(xdr.LedgerKeyTrustLine, { account: ["accountId", xdrAccountId], asset: xdrTrustLineAsset }),
  ],
  data: xdrStruct(xdr.LedgerKeyData, { account: ["accountId", xdrAccountId], name: ["dataName", xdrBytes] }),
  contractData: xdrStruct(xdr.LedgerKeyContractData, {
    contract: xdrContractAddress,
    key: xdrContractValue,
    durability: xdrDurability,
  }),
  contractCode: xdrWritten(xdr.LedgerKeyContractCode),
  configSetting: xdrWritten(xdr.LedgerKeyConfigSetting),
  ttl: xdrWritten(xdr.LedgerKeyTtl),
});

export type HorizonKey = XdrValue<typeof xdrLedgerKey>;

import { xdrAccountId, xdrHash } from "./account.ts";
import { xdrTrustLineAsset } from "./asset.ts";
import { type XdrValue, xdrBytes, xdrI32, xdrNotSimulated, xdrStruct, xdrUnion } from "./codec.ts";
import { xdrContractAddress, xdrContractValue } from "./contract-value.ts";

const DATA_BYTES_MAX = 64;

/** The keys of the ledger's entries. */
export const xdrLedgerKey = xdrUnion("ledger key", {
  account: [0, xdrStruct({ account: xdrAccountId })],
  trustLine: [1, xdrStruct({ account: xdrAccountId, asset: xdrTrustLineAsset })],
  offer: [2, xdrNotSimulated("offers")],
  data: [3, xdrStruct({ account: xdrAccountId, name: xdrBytes(DATA_BYTES_MAX) })],
  claimableBalance: [4, xdrNotSimulated("claimable balances")],
  liquidityPool: [5, xdrNotSimulated("liquidity pools")],
  contractData: [6, xdrStruct({ contract: xdrContractAddress, key: xdrContractValue, durability: xdrI32 })],
  contractCode: [7, xdrStruct({ hash: xdrHash })],
  configSetting: [8, xdrStruct({ id: xdrI32 })],
  ttl: [9, xdrStruct({ keyHash: xdrHash })],
});

export type HorizonKey = XdrValue<typeof xdrLedgerKey>;

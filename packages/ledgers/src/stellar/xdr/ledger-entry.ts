import { xdrAccountId, xdrSigner } from "./account.ts";
import { xdrTrustLineAsset } from "./asset.ts";
import {
  type XdrValue,
  xdrBytes,
  xdrI64,
  xdrList,
  xdrMapped,
  xdrNoExtension,
  xdrNumber,
  xdrOnlyWritten,
  xdrOptional,
  xdrStruct,
  xdrUnion,
} from "./codec.ts";
import { xdrContractAddress, xdrContractValue, xdrDurability } from "./contract-value.ts";
import { xdr } from "./sdk.ts";

export const MOST_SIGNERS = 20;

interface AccountHistory {
  /** the ledger in which the sequence number was last used, and its close time in seconds since 1970 */
  readonly sequenceLedger: number;
  readonly sequenceTime: bigint;
}

const zero = (): InstanceType<typeof xdr.Int64> => new xdr.Int64(0n);

/** The extension of accounts in this ledger: all versions, no sponsorships. */
const xdrAccountExtension = xdrOnlyWritten(
  ({ sequenceLedger, sequenceTime, signers }: AccountHistory & { readonly signers: number }) => {
    const v3 = new xdr.AccountEntryExtensionV3({
      ext: new xdr.ExtensionPoint(0),
      seqLedger: sequenceLedger,
      seqTime: new xdr.Uint64(sequenceTime),
    });
    const v2 = new xdr.AccountEntryExtensionV2({
      numSponsored: 0,
      numSponsoring: 0,
      signerSponsoringIDs: Array.from({ length: signers }, () => undefined),
      ext: new xdr.AccountEntryExtensionV2Ext(3, v3),
    });
    const v1 = new xdr.AccountEntryExtensionV1({
      liabilities: new xdr.Liabilities({ buying: zero(), selling: zero() }),
      ext: new xdr.AccountEntryExtensionV1Ext(2, v2),
    });
    return new xdr.AccountEntryExt(1, v1);
  },
);

const xdrAccountWire = xdrStruct(xdr.AccountEntry, {
  address: ["accountId", xdrAccountId],
  balance: xdrI64,
  sequence: ["seqNum", xdrI64],
  subentries: ["numSubEntries", xdrNumber],
  inflationDestination: ["inflationDest", xdrOptional(xdrAccountId)],
  flags: xdrNumber,
  homeDomain: xdrBytes,
  /** the weight of the account's own key, then the low, medium and high thresholds */
  thresholds: xdrBytes,
  signers: xdrList(xdrSigner),
  extension: ["ext", xdrAccountExtension],
});

type AccountWire = XdrValue<typeof xdrAccountWire>;

export interface HorizonAccount extends Omit<AccountWire, "extension">, AccountHistory {}

const xdrAccountEntry = xdrMapped(
  xdrAccountWire,
  ({ extension: { sequenceLedger, sequenceTime }, ...account }): HorizonAccount => ({
    ...account,
    sequenceLedger,
    sequenceTime,
  }),
  ({ sequenceLedger, sequenceTime, ...account }): AccountWire => ({
    ...account,
    extension: { sequenceLedger, sequenceTime, signers: account.signers.length },
  }),
);

const xdrTrustLine = xdrStruct(xdr.TrustLineEntry, {
  account: ["accountId", xdrAccountId],
  asset: xdrTrustLineAsset,
  balance: xdrI64,
  limit: xdrI64,
  flags: xdrNumber,
  extension: ["ext", xdrNoExtension(xdr.TrustLineEntryExt)],
});

export const xdrLedgerEntryData = xdrUnion(xdr.LedgerEntryData, {
  account: xdrAccountEntry,
  trustLine: ["trustline", xdrTrustLine],
  data: xdrStruct(xdr.DataEntry, {
    account: ["accountId", xdrAccountId],
    name: ["dataName", xdrBytes],
    value: ["dataValue", xdrBytes],
    extension: ["ext", xdrNoExtension(xdr.DataEntryExt)],
  }),
  contractData: xdrStruct(xdr.ContractDataEntry, {
    extension: ["ext", xdrNoExtension(xdr.ExtensionPoint)],
    contract: xdrContractAddress,
    key: xdrContractValue,
    durability: xdrDurability,
    value: ["val", xdrContractValue],
  }),
});

export const xdrLedgerEntry = xdrStruct(xdr.LedgerEntry, {
  modifiedIn: ["lastModifiedLedgerSeq", xdrNumber],
  data: xdrLedgerEntryData,
  extension: ["ext", xdrNoExtension(xdr.LedgerEntryExt)],
});

/** The content of a ledger entry. */
export type HorizonEntryData = XdrValue<typeof xdrLedgerEntryData>;
export type HorizonTrustLine = XdrValue<typeof xdrTrustLine>;

export interface HorizonEntry {
  /** sequence number of the last ledger that changed it */
  readonly modifiedIn: number;
  readonly data: HorizonEntryData;
}

import { xdrAccountId, xdrSigner } from "./account.ts";
import { xdrTrustLineAsset } from "./asset.ts";
import {
  type XdrCodec,
  type XdrValue,
  xdrBytes,
  xdrFixed,
  xdrI32,
  xdrI64,
  xdrList,
  xdrMapped,
  xdrNoExtension,
  xdrOptional,
  xdrStruct,
  xdrU32,
  xdrU64,
  xdrUnion,
} from "./codec.ts";
import { xdrContractAddress, xdrContractValue } from "./contract-value.ts";

const TEXT_BYTES_MAX = 64;
export const MOST_SIGNERS = 20;

/** A field that has one value in this ledger. */
const always = <T>(codec: XdrCodec<T>, value: T): XdrCodec<undefined> =>
  xdrMapped(
    codec,
    () => undefined,
    () => value,
  );

const xdrLiabilities = xdrStruct({ buying: always(xdrI64, 0n), selling: always(xdrI64, 0n) });

/** An account of this ledger has every extension, and sponsors nobody. */
const xdrAccountExtension = xdrUnion("extension", {
  v1: [
    1,
    xdrStruct({
      liabilities: xdrLiabilities,
      extension: xdrUnion("extension", {
        v2: [
          2,
          xdrStruct({
            sponsored: xdrU32,
            sponsoring: xdrU32,
            signerSponsors: xdrList(xdrOptional(xdrAccountId), MOST_SIGNERS),
            extension: xdrUnion("extension", {
              v3: [
                3,
                xdrStruct({
                  extension: xdrNoExtension,
                  sequenceLedger: xdrU32,
                  sequenceTime: xdrU64,
                }),
              ],
            }),
          }),
        ],
      }),
    }),
  ],
});

const xdrAccountWire = xdrStruct({
  address: xdrAccountId,
  balance: xdrI64,
  sequence: xdrI64,
  subentries: xdrU32,
  inflationDestination: xdrOptional(xdrAccountId),
  flags: xdrU32,
  homeDomain: xdrBytes(TEXT_BYTES_MAX),
  /** of the account's own key, then for low, medium and high operations */
  thresholds: xdrFixed(4),
  signers: xdrList(xdrSigner, MOST_SIGNERS),
  extension: xdrAccountExtension,
});

type AccountWire = XdrValue<typeof xdrAccountWire>;

export interface HorizonAccount extends Omit<AccountWire, "extension"> {
  /** the ledger in which the sequence number was last used, and its closing time in seconds since 1970 */
  readonly sequenceLedger: number;
  readonly sequenceTime: bigint;
}

const xdrAccountEntry = xdrMapped(
  xdrAccountWire,
  ({ extension, ...account }): HorizonAccount => {
    const { sequenceLedger, sequenceTime } = extension.value.extension.value.extension.value;
    return { ...account, sequenceLedger, sequenceTime };
  },
  ({ sequenceLedger, sequenceTime, ...account }): AccountWire => {
    const v3 = { extension: undefined, sequenceLedger, sequenceTime };
    const signerSponsors = account.signers.map(() => undefined);
    const v2 = {
      sponsored: 0,
      sponsoring: 0,
      signerSponsors,
      extension: { type: "v3" as const, value: v3 },
    };
    const liabilities = { buying: undefined, selling: undefined };
    const v1 = { liabilities, extension: { type: "v2" as const, value: v2 } };
    return { ...account, extension: { type: "v1", value: v1 } };
  },
);

const xdrTrustLine = xdrStruct({
  account: xdrAccountId,
  asset: xdrTrustLineAsset,
  balance: xdrI64,
  limit: xdrI64,
  flags: xdrU32,
  extension: xdrNoExtension,
});

export const xdrLedgerEntryData = xdrUnion("ledger entry", {
  account: [0, xdrAccountEntry],
  trustLine: [1, xdrTrustLine],
  data: [
    3,
    xdrStruct({
      account: xdrAccountId,
      name: xdrBytes(TEXT_BYTES_MAX),
      value: xdrBytes(TEXT_BYTES_MAX),
      extension: xdrNoExtension,
    }),
  ],
  contractData: [
    6,
    xdrStruct({
      extension: xdrNoExtension,
      contract: xdrContractAddress,
      key: xdrContractValue,
      durability: xdrI32,
      value: xdrContractValue,
    }),
  ],
});

export const xdrLedgerEntry = xdrStruct({
  modifiedIn: xdrU32,
  data: xdrLedgerEntryData,
  extension: xdrNoExtension,
});

/** The ledger's entry under a key. */
export type HorizonEntryData = XdrValue<typeof xdrLedgerEntryData>;
export type HorizonTrustLine = XdrValue<typeof xdrTrustLine>;

export interface HorizonEntry {
  /** the ledger that wrote it last */
  readonly modifiedIn: number;
  readonly data: HorizonEntryData;
}

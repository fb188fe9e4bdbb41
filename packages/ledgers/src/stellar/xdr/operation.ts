import { xdrAccountId, xdrMuxedAccount, xdrSigner } from "./account.ts";
import { xdrAsset, xdrAssetCode, xdrTrustLineAsset } from "./asset.ts";
import {
  type XdrValue,
  xdrBytes,
  xdrI64,
  xdrNotSimulated,
  xdrOptional,
  xdrStruct,
  xdrU32,
  xdrUnion,
} from "./codec.ts";
import { xdrInvokeHostFunction } from "./invocation.ts";

const HOME_DOMAIN_BYTES_MAX = 32;
const DATA_BYTES_MAX = 64;

const optionalNumber = xdrOptional(xdrU32);
const absent = (name: string) => xdrNotSimulated(`operations of type ${name}`);

/** Every operation of protocol 23; those that are not carried out are known by name. */
const xdrOperationBody = xdrUnion("operation", {
  createAccount: [0, xdrStruct({ destination: xdrAccountId, startingBalance: xdrI64 })],
  payment: [1, xdrStruct({ destination: xdrMuxedAccount, asset: xdrAsset, amount: xdrI64 })],
  pathPaymentStrictReceive: [2, absent("path_payment_strict_receive")],
  manageSellOffer: [3, absent("manage_sell_offer")],
  createPassiveSellOffer: [4, absent("create_passive_sell_offer")],
  setOptions: [
    5,
    xdrStruct({
      inflationDestination: xdrOptional(xdrAccountId),
      clearFlags: optionalNumber,
      setFlags: optionalNumber,
      masterWeight: optionalNumber,
      lowThreshold: optionalNumber,
      mediumThreshold: optionalNumber,
      highThreshold: optionalNumber,
      homeDomain: xdrOptional(xdrBytes(HOME_DOMAIN_BYTES_MAX)),
      signer: xdrOptional(xdrSigner),
    }),
  ],
  changeTrust: [6, xdrStruct({ line: xdrTrustLineAsset, limit: xdrI64 })],
  allowTrust: [7, xdrStruct({ trustor: xdrAccountId, asset: xdrAssetCode, authorize: xdrU32 })],
  accountMerge: [8, xdrMuxedAccount],
  inflation: [9, absent("inflation")],
  manageData: [
    10,
    xdrStruct({ name: xdrBytes(DATA_BYTES_MAX), value: xdrOptional(xdrBytes(DATA_BYTES_MAX)) }),
  ],
  bumpSequence: [11, xdrI64],
  manageBuyOffer: [12, absent("manage_buy_offer")],
  pathPaymentStrictSend: [13, absent("path_payment_strict_send")],
  createClaimableBalance: [14, absent("create_claimable_balance")],
  claimClaimableBalance: [15, absent("claim_claimable_balance")],
  beginSponsoringFutureReserves: [16, absent("begin_sponsoring_future_reserves")],
  endSponsoringFutureReserves: [17, absent("end_sponsoring_future_reserves")],
  revokeSponsorship: [18, absent("revoke_sponsorship")],
  clawback: [19, absent("clawback")],
  clawbackClaimableBalance: [20, absent("clawback_claimable_balance")],
  setTrustLineFlags: [
    21,
    xdrStruct({ trustor: xdrAccountId, asset: xdrAsset, clearFlags: xdrU32, setFlags: xdrU32 }),
  ],
  liquidityPoolDeposit: [22, absent("liquidity_pool_deposit")],
  liquidityPoolWithdraw: [23, absent("liquidity_pool_withdraw")],
  invokeHostFunction: [24, xdrInvokeHostFunction],
  extendFootprintTtl: [25, absent("extend_footprint_ttl")],
  restoreFootprint: [26, absent("restore_footprint")],
});

export const xdrOperation = xdrStruct({ source: xdrOptional(xdrMuxedAccount), body: xdrOperationBody });

export type HorizonOperation = XdrValue<typeof xdrOperation>;
export type HorizonOperationBody = XdrValue<typeof xdrOperationBody>;
/** The body of an operation of one type. */
export type HorizonActOf<Type extends HorizonOperationBody["type"]> = Extract<
  HorizonOperationBody,
  { readonly type: Type }
>["value"];

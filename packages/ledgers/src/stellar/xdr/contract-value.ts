import { bytesOfAddress, horizonContract } from "../address.ts";
import { xdrAccountId } from "./account.ts";
import {
  type XdrCodec,
  type XdrValue,
  xdrBool,
  xdrBytes,
  xdrEnum,
  xdrI64,
  xdrList,
  xdrMapped,
  xdrNested,
  xdrNumber,
  xdrOptional,
  xdrStruct,
  xdrU64,
  xdrUnion,
} from "./codec.ts";
import { xdr } from "./sdk.ts";

/** The owner of a contract data entry: an account or a contract. */
export const xdrContractAddress = xdrUnion(xdr.ScAddress, {
  account: ["scAddressTypeAccount", xdrAccountId],
  contract: ["scAddressTypeContract", xdrMapped(xdrBytes, horizonContract, bytesOfAddress)],
});

export type HorizonContractAddress = XdrValue<typeof xdrContractAddress>;

/**
 * The durability of a contract data entry: 0 temporary, 1 persistent; only persistent entries can be restored after their
 * rent runs out.
 */
export const xdrDurability = xdrEnum(
  xdr.ContractDataDurability.temporary(),
  xdr.ContractDataDurability.persistent(),
);

export interface HorizonMapEntry {
  readonly key: HorizonValue;
  readonly val: HorizonValue;
}

type Kind<Type extends string, Value> = { readonly type: Type; readonly value: Value };

/** The values of contracts. */
export type HorizonValue =
  | Kind<"bool", boolean>
  | Kind<"void" | "instanceKey", undefined>
  | Kind<"u32" | "i32", number>
  | Kind<"u64" | "i64" | "timepoint" | "duration" | "u128" | "i128", bigint>
  | Kind<"nonceKey", { readonly nonce: bigint }>
  | Kind<"bytes" | "string" | "symbol", Uint8Array>
  | Kind<"vec", readonly HorizonValue[] | undefined>
  | Kind<"map", readonly HorizonMapEntry[] | undefined>
  | Kind<"address", HorizonContractAddress>
  | Kind<
      "instance",
      {
        readonly executable: Kind<"wasm", Uint8Array> | Kind<"stellarAsset", undefined>;
        readonly storage: readonly HorizonMapEntry[] | undefined;
      }
    >;

const whole = ({ hi, lo }: { readonly hi: bigint; readonly lo: bigint }): bigint => (hi << 64n) | lo;
const halves = (value: bigint) => ({ hi: value >> 64n, lo: BigInt.asUintN(64, value) });

const xdrItself: XdrCodec<HorizonValue> = xdrNested(() => xdrContractValue);
const xdrMap = xdrOptional(xdrList(xdrStruct(xdr.ScMapEntry, { key: xdrItself, val: xdrItself })));
export const xdrContractValue = xdrUnion(xdr.ScVal, {
  bool: ["scvBool", xdrBool],
  void: "scvVoid",
  u32: ["scvU32", xdrNumber],
  i32: ["scvI32", xdrNumber],
  u64: ["scvU64", xdrU64],
  i64: ["scvI64", xdrI64],
  timepoint: ["scvTimepoint", xdrU64],
  duration: ["scvDuration", xdrU64],
  u128: ["scvU128", xdrMapped(xdrStruct(xdr.UInt128Parts, { hi: xdrU64, lo: xdrU64 }), whole, halves)],
  i128: ["scvI128", xdrMapped(xdrStruct(xdr.Int128Parts, { hi: xdrI64, lo: xdrU64 }), whole, halves)],
  bytes: ["scvBytes", xdrBytes],
  string: ["scvString", xdrBytes],
  symbol: ["scvSymbol", xdrBytes],
  vec: ["scvVec", xdrOptional(xdrList(xdrItself))],
  map: ["scvMap", xdrMap],
  address: ["scvAddress", xdrContractAddress],
  instance: [
    "scvContractInstance",
    xdrStruct(xdr.ScContractInstance, {
      executable: xdrUnion(xdr.ContractExecutable, {
        wasm: ["contractExecutableWasm", xdrBytes],
        stellarAsset: "contractExecutableStellarAsset",
      }),
      storage: xdrMap,
    }),
  ],
  instanceKey: "scvLedgerKeyContractInstance",
  nonceKey: ["scvLedgerKeyNonce", xdrStruct(xdr.ScNonceKey, { nonce: xdrI64 })],
});

import { bytesOfAddress, horizonContract } from "../address.ts";
import { xdrAccountId, xdrHash } from "./account.ts";
import {
  type XdrCodec,
  type XdrValue,
  xdrBool,
  xdrBytes,
  xdrI32,
  xdrI64,
  xdrList,
  xdrMapped,
  xdrNested,
  xdrNotSimulated,
  xdrOptional,
  xdrStruct,
  xdrU32,
  xdrU64,
  xdrUnion,
  xdrVoid,
} from "./codec.ts";

const MOST_ENTRIES = 1_000;
const VALUE_BYTES_MAX = 65_536;
const SYMBOL_BYTES_MAX = 32;

/** An owner of a contract's entry: an account, or another contract. */
export const xdrContractAddress = xdrUnion("contract address", {
  account: [0, xdrAccountId],
  contract: [1, xdrMapped(xdrHash, horizonContract, bytesOfAddress)],
  muxed: [2, xdrNotSimulated("transfers of contracts to muxed accounts")],
  claimableBalance: [3, xdrNotSimulated("transfers of contracts to claimable balances")],
  liquidityPool: [4, xdrNotSimulated("transfers of contracts to liquidity pools")],
});

export type HorizonContractAddress = XdrValue<typeof xdrContractAddress>;

export interface HorizonMapEntry {
  readonly key: HorizonValue;
  readonly val: HorizonValue;
}

type Kind<Type extends string, Value> = { readonly type: Type; readonly value: Value };

/** The values of contracts. */
export type HorizonValue =
  | Kind<"bool", boolean>
  | Kind<"void" | "instanceKey", undefined>
  | Kind<"error", { readonly type: number; readonly code: number }>
  | Kind<"u32" | "i32", number>
  | Kind<"u64" | "i64" | "timepoint" | "duration" | "u128" | "i128" | "nonceKey", bigint>
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

const xdrInt128 = xdrMapped(
  xdrStruct({ high: xdrI64, low: xdrU64 }),
  ({ high, low }) => (high << 64n) | low,
  (value: bigint) => ({ high: value >> 64n, low: BigInt.asUintN(64, value) }),
);
const xdrUint128 = xdrMapped(
  xdrStruct({ high: xdrU64, low: xdrU64 }),
  ({ high, low }) => (high << 64n) | low,
  (value: bigint) => ({ high: value >> 64n, low: BigInt.asUintN(64, value) }),
);

const xdrItself: XdrCodec<HorizonValue> = xdrNested(() => xdrContractValue);
const xdrMap = xdrOptional(xdrList(xdrStruct({ key: xdrItself, val: xdrItself }), MOST_ENTRIES));

export const xdrContractValue: XdrCodec<HorizonValue> = xdrUnion("contract value", {
  bool: [0, xdrBool],
  void: [1, xdrVoid],
  error: [2, xdrStruct({ type: xdrI32, code: xdrU32 })],
  u32: [3, xdrU32],
  i32: [4, xdrI32],
  u64: [5, xdrU64],
  i64: [6, xdrI64],
  timepoint: [7, xdrU64],
  duration: [8, xdrU64],
  u128: [9, xdrUint128],
  i128: [10, xdrInt128],
  u256: [11, xdrNotSimulated("numbers of 256 bits")],
  i256: [12, xdrNotSimulated("numbers of 256 bits")],
  bytes: [13, xdrBytes(VALUE_BYTES_MAX)],
  string: [14, xdrBytes(VALUE_BYTES_MAX)],
  symbol: [15, xdrBytes(SYMBOL_BYTES_MAX)],
  vec: [16, xdrOptional(xdrList(xdrItself, MOST_ENTRIES))],
  map: [17, xdrMap],
  address: [18, xdrContractAddress],
  instance: [
    19,
    xdrStruct({
      executable: xdrUnion("executable", { wasm: [0, xdrHash], stellarAsset: [1, xdrVoid] }),
      storage: xdrMap,
    }),
  ],
  instanceKey: [20, xdrVoid],
  nonceKey: [21, xdrI64],
});

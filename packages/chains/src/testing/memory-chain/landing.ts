import { equalBytes } from "@noble/curves/utils.js";
import type { Address, Hex } from "viem";
import {
  bytesToHex,
  getAddress,
  hexToBytes,
  keccak256,
  parseTransaction,
  serializeTransaction,
} from "viem/utils";
import { addressOf } from "../../evm/address.ts";
import { attachSignatures } from "../../evm/attach.ts";
import { decodeAnyUnsigned } from "../../evm/decode-any.ts";
import { intrinsicGas } from "../../evm/gas/gas-limit.ts";
import { recoverPublicKey } from "../../recover.ts";

const TRANSACTION_GAS = 21_000n;
/** EIP-7623: floor gas per zero byte, and per other byte */
const FLOOR_ZERO_GAS = 10n;
const FLOOR_BYTE_GAS = 40n;

/** A signed transaction in the form in which the chain executes it. */
export interface LandingTransaction {
  readonly hash: string;
  readonly signed: Uint8Array;
  readonly unsigned: Uint8Array;
  /** hash of the unsigned bytes */
  readonly signingHash: string;
  readonly from: string;
  /** undefined: deploys a contract */
  readonly to: string | undefined;
  readonly chainId: bigint;
  readonly nonce: bigint;
  /** wei */
  readonly value: bigint;
  readonly gasLimit: bigint;
  /** wei a gas */
  readonly maxFee: bigint;
  readonly tip: bigint;
  /** the gas used: only the payment itself is executed */
  readonly gas: bigint;
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Gas of a call on a chain without contracts: its intrinsic gas, at least EIP-7623's floor for its data. */
export const gasOf = (to: string | undefined, data: Hex): bigint => {
  const floor = hexToBytes(data).reduce(
    (sum, byte) => sum + (byte === 0 ? FLOOR_ZERO_GAS : FLOOR_BYTE_GAS),
    TRANSACTION_GAS,
  );
  return larger(floor, intrinsicGas({ to: to === undefined ? undefined : getAddress(to), data }));
};

const parsed = (signed: Uint8Array) => {
  try {
    const { r, s, v: _, yParity, ...bare } = parseTransaction(bytesToHex(signed));
    if (r === undefined || s === undefined || yParity === undefined) return undefined;
    return {
      unsigned: hexToBytes(serializeTransaction(bare)),
      signature: { scheme: "CGGMP24", r: BigInt(r), s: BigInt(s), recovery: yParity === 0 ? 0 : 1 },
    } as const;
  } catch {
    return undefined;
  }
};

const spelled = (to: Address | undefined): string | undefined =>
  to === undefined ? undefined : getAddress(to);

/** @returns undefined unless the bytes are the canonical encoding of a signed transaction of type 0, 1 or 2 */
export const readLanding = (signed: Uint8Array): LandingTransaction | undefined => {
  const parts = parsed(signed);
  if (parts === undefined) return undefined;
  const { unsigned, signature } = parts;
  const decoded = decodeAnyUnsigned(unsigned);
  const key = recoverPublicKey(keccak256(unsigned, "bytes"), signature);
  if (!decoded.ok || !key.ok) return undefined;
  const again = attachSignatures(unsigned, [signature], [key.value]);
  if (!again.ok || !equalBytes(again.value.signed, signed)) return undefined;
  const { chainId, nonce, value, gasLimit, maxFeePerGas, maxPriorityFeePerGas, data } = decoded.value;
  const to = spelled(decoded.value.to);
  return {
    hash: again.value.txHash,
    signed,
    unsigned,
    signingHash: keccak256(unsigned),
    from: addressOf(key.value),
    to,
    chainId,
    nonce,
    value,
    gasLimit,
    maxFee: maxFeePerGas,
    tip: maxPriorityFeePerGas,
    gas: gasOf(to, data),
  };
};

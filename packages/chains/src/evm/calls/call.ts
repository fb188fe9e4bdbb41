import type { Address, Hex } from "viem";
import { getAddress } from "viem/utils";
import type { EvmCall, EvmTransfer } from "../rules/act.ts";
import { encodeTransfer } from "./erc20.ts";
import { encodeSafeTransfer } from "./erc721.ts";

/** The content of a transaction, without its fees and its nonce. */
export interface Call {
  /** undefined: deploys a contract */
  readonly to: Address | undefined;
  /** wei */
  readonly value: bigint;
  readonly data: Hex;
}

/**
 * The call that carries out a transfer.
 * @throws when an amount does not fit 256 bits; the gateway refuses such amounts
 */
export const callOf = (transfer: EvmTransfer): Call => {
  switch (transfer.kind) {
    case "Native":
      return { to: getAddress(transfer.to), value: BigInt(transfer.amount), data: "0x" };
    case "Erc20":
      return {
        to: getAddress(transfer.contract),
        value: 0n,
        data: encodeTransfer(getAddress(transfer.to), BigInt(transfer.amount)),
      };
    case "Erc721":
      return {
        to: getAddress(transfer.contract),
        value: 0n,
        data: encodeSafeTransfer(
          getAddress(transfer.from),
          getAddress(transfer.to),
          BigInt(transfer.tokenId),
        ),
      };
  }
};

/** The call that a caller requested. */
export const requestedCall = (call: EvmCall): Call => ({
  to: call.to === undefined ? undefined : getAddress(call.to),
  value: BigInt(call.value),
  data: `0x${call.data}`,
});

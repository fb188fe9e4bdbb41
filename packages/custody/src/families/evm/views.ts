import type { TransferBody } from "../../chain-request/transfer-body.ts";
import type { Asset } from "../../network.ts";
import { checksumEvmAddress } from "./address.ts";

/** A fungible token of EVM networks. */
export interface EvmTokenView {
  readonly kind: "Erc20";
  readonly contract: string;
}

/** A transfer of a token in a wallet's history (wire interface, section F.8). */
export type EvmMovementView =
  | {
      readonly kind: "Erc20Transfer";
      readonly contract: string;
      /** in the smallest unit, as digits */
      readonly value: string;
      readonly symbol?: string;
      readonly decimals?: number;
    }
  | { readonly kind: "Erc721Transfer"; readonly contract: string; readonly tokenId: string };

/** @param contract in any case */
export const evmTokenView = (contract: string): EvmTokenView => ({
  kind: "Erc20",
  contract: checksumEvmAddress(contract),
});

export const evmMovementView = (
  body: TransferBody,
  { symbol, decimals }: Asset,
): EvmMovementView | undefined => {
  if (body.kind === "Erc721") {
    return { kind: "Erc721Transfer", contract: body.contract, tokenId: body.tokenId };
  }
  if (body.kind !== "Erc20") return undefined;
  return {
    kind: "Erc20Transfer",
    contract: body.contract,
    value: body.amount,
    ...(symbol === undefined ? {} : { symbol }),
    ...(decimals === undefined ? {} : { decimals }),
  };
};

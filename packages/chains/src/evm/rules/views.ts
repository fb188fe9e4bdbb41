import {
  type Asset,
  fungible,
  type MovementView,
  type TokenView,
  type TransferBody,
} from "@conclave/custody";
import { checksumEvmAddress } from "./address.ts";

/** @param contract in any case */
export const evmTokenView = (contract: string): TokenView => ({
  kind: "Erc20",
  contract: checksumEvmAddress(contract),
});

export const evmMovementView = (body: TransferBody, asset: Asset): MovementView | undefined => {
  if (body.kind === "Erc721") {
    return { kind: "Erc721Transfer", contract: body.contract, tokenId: body.tokenId };
  }
  if (body.kind !== "Erc20") return undefined;
  return { kind: "Erc20Transfer", contract: body.contract, ...fungible(body.amount, asset) };
};

/** The contract of the token that a transfer moves; undefined for the native coin. */
export const evmTokenOf = (moved: TransferBody): string | undefined =>
  "contract" in moved ? moved.contract : undefined;

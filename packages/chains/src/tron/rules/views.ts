import {
  type Asset,
  fungible,
  type MovementView,
  type TokenView,
  type TransferBody,
} from "@conclave/custody";
import { isTrc10Id } from "./numbers.ts";

/** @param token a contract's address, or the id of a TRC-10 token */
export const tronTokenView = (token: string): TokenView =>
  isTrc10Id(token) ? { kind: "Trc10", tokenId: token } : { kind: "Trc20", contract: token };

export const tronMovementView = (body: TransferBody, asset: Asset): MovementView | undefined => {
  switch (body.kind) {
    case "Trc10":
      return { kind: "Trc10Transfer", tokenId: body.tokenId, ...fungible(body.amount, asset) };
    case "Trc20":
      return { kind: "Trc20Transfer", contract: body.contract, ...fungible(body.amount, asset) };
    case "Trc721":
      return { kind: "Trc721Transfer", contract: body.contract, tokenId: body.tokenId };
    default:
      return undefined;
  }
};

/** The contract or the TRC-10 id of the token that a transfer moves; undefined for the native coin. */
export const tronTokenOf = (moved: TransferBody): string | undefined => {
  if (moved.kind === "Trc10") return moved.tokenId;
  return "contract" in moved ? moved.contract : undefined;
};

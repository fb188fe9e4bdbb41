import type { TransferBody } from "../../chain-request/transfer-body.ts";
import type { Asset } from "../../network.ts";
import { isTrc10Id } from "./numbers.ts";

/** A fungible token of TRON: of its own ledger, or of a contract. */
export type TronTokenView =
  | { readonly kind: "Trc10"; readonly tokenId: string }
  | { readonly kind: "Trc20"; readonly contract: string };

interface Fungible {
  /** in the smallest unit, as digits */
  readonly value: string;
  readonly symbol?: string;
  readonly decimals?: number;
}

/** A transfer of a token in a wallet's history (wire interface, section F.8). */
export type TronMovementView =
  | ({ readonly kind: "Trc10Transfer"; readonly tokenId: string } & Fungible)
  | ({ readonly kind: "Trc20Transfer"; readonly contract: string } & Fungible)
  | { readonly kind: "Trc721Transfer"; readonly contract: string; readonly tokenId: string };

/** @param token a contract's address, or the id of a TRC-10 token */
export const tronTokenView = (token: string): TronTokenView =>
  isTrc10Id(token) ? { kind: "Trc10", tokenId: token } : { kind: "Trc20", contract: token };

const fungible = (value: string, { symbol, decimals }: Asset): Fungible => ({
  value,
  ...(symbol === undefined ? {} : { symbol }),
  ...(decimals === undefined ? {} : { decimals }),
});

export const tronMovementView = (body: TransferBody, asset: Asset): TronMovementView | undefined => {
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

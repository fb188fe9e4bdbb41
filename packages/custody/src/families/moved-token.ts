import type { TransferBody } from "../chain-request/transfer-body.ts";
import { spellSolanaToken } from "./solana/token.ts";
import { spellStellarToken } from "./stellar/asset.ts";

/** How the chain's node calls the token that a transfer moves; undefined of the native coin. */
export const tokenOfTransfer = (moved: TransferBody): string | undefined => {
  if ("contract" in moved) return moved.contract;
  if ("assetId" in moved) return moved.assetId;
  if ("mint" in moved) return spellSolanaToken(moved);
  if (moved.kind === "Trc10") return moved.tokenId;
  return "assetCode" in moved
    ? spellStellarToken({ code: moved.assetCode, issuer: moved.issuer })
    : undefined;
};

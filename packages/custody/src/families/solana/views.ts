import { z } from "zod";
import type { TransferBody } from "../../chain-request/transfer-body.ts";
import type { Asset } from "../../network.ts";
import { fungible, heldToken, type MovementOf, type TokenOf, tokenMovement } from "../view-fields.ts";
import { parseSolanaToken } from "./token.ts";

const mint = z.string();

/** of Solana's two token programs */
export const splHeldSchema = heldToken("Spl", { mint });
export const spl2022HeldSchema = heldToken("Spl2022", { mint });
export type SolanaTokenView = TokenOf<z.infer<typeof splHeldSchema | typeof spl2022HeldSchema>>;

export const splEventSchema = tokenMovement("SplTransfer", { mint });
export const spl2022EventSchema = tokenMovement("Spl2022Transfer", { mint });
export type SolanaMovementView = MovementOf<z.infer<typeof splEventSchema | typeof spl2022EventSchema>>;

/** @throws TypeError for anything but the spelling of a token */
export const solanaTokenView = (text: string): SolanaTokenView => {
  const token = parseSolanaToken(text);
  if (token === undefined) throw new TypeError("a token of Solana is spelt KIND:MINT");
  return token;
};

export const solanaMovementView = (body: TransferBody, asset: Asset): SolanaMovementView | undefined =>
  body.kind === "Spl" || body.kind === "Spl2022"
    ? { kind: `${body.kind}Transfer`, mint: body.mint, ...fungible(body.amount, asset) }
    : undefined;

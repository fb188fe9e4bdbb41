import { z } from "zod";
import {
  eventMemo,
  heldToken,
  type MovementOf,
  movementFields,
  type TokenOf,
  tokenMovement,
} from "./view-fields.ts";

// fields that name a token
const contract = { contract: z.string() };
const mint = { mint: z.string() };
const assetId = { assetId: z.string() };
const tokenId = { tokenId: z.string() };
const ofIssuer = { assetCode: z.string(), issuer: z.string() };

const pieceMovement = <Kind extends string>(kind: Kind) =>
  z.object({ kind: z.literal(kind), ...contract, ...tokenId, ...movementFields });

/** Tokens that a wallet may hold, in the order of the API's document. */
export const HELD_TOKEN_SCHEMAS = [
  heldToken("Erc20", contract),
  heldToken("Asa", assetId),
  heldToken("Sep41", ofIssuer),
  heldToken("Spl", mint),
  heldToken("Spl2022", mint),
  heldToken("Trc10", tokenId),
  heldToken("Trc20", contract),
] as const;

/** Events of tokens in a wallet's history, in the order of the API's document. */
export const TOKEN_EVENT_SCHEMAS = [
  tokenMovement("Erc20Transfer", contract),
  tokenMovement("AsaTransfer", assetId),
  tokenMovement("Sep41Transfer", ofIssuer).extend(eventMemo),
  tokenMovement("SplTransfer", mint),
  tokenMovement("Spl2022Transfer", mint),
  pieceMovement("Erc721Transfer"),
  tokenMovement("Trc10Transfer", tokenId),
  tokenMovement("Trc20Transfer", contract),
  pieceMovement("Trc721Transfer"),
] as const;

/** How a family's tokens are shown. */
export type TokenView = TokenOf<z.infer<(typeof HELD_TOKEN_SCHEMAS)[number]>>;
/** How a family's transfers of tokens are shown in histories. */
export type MovementView = MovementOf<z.infer<(typeof TOKEN_EVENT_SCHEMAS)[number]>>;

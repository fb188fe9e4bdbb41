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

const pieceMovement = <Kind extends string, Owner extends z.ZodRawShape>(kind: Kind, owner: Owner) =>
  z.object({ kind: z.literal(kind), ...owner, ...contract, ...tokenId, ...movementFields });

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

/**
 * Events of tokens in a history, in the order of the API's document.
 * @param owner the field that names whose history it is
 */
export const tokenEventSchemas = <Owner extends z.ZodRawShape>(owner: Owner) =>
  [
    tokenMovement("Erc20Transfer", { ...owner, ...contract }),
    tokenMovement("AsaTransfer", { ...owner, ...assetId }),
    tokenMovement("Sep41Transfer", { ...owner, ...ofIssuer, ...eventMemo }),
    tokenMovement("SplTransfer", { ...owner, ...mint }),
    tokenMovement("Spl2022Transfer", { ...owner, ...mint }),
    pieceMovement("Erc721Transfer", owner),
    tokenMovement("Trc10Transfer", { ...owner, ...tokenId }),
    tokenMovement("Trc20Transfer", { ...owner, ...contract }),
    pieceMovement("Trc721Transfer", owner),
  ] as const;
const anybodysSchemas = tokenEventSchemas({});

/** How a family's tokens are shown. */
export type TokenView = TokenOf<z.infer<(typeof HELD_TOKEN_SCHEMAS)[number]>>;
/** How a family's transfers of tokens are shown in histories. */
export type MovementView = MovementOf<z.infer<(typeof anybodysSchemas)[number]>>;

import { z } from "zod";
import { type Asset, transferAssetSchema } from "../network.ts";

// Fields that the views of every family's tokens have in common (wire interface, section F.8).

/** Fields of an asset that a wallet holds. */
export const heldFields = {
  symbol: z.string().optional(),
  decimals: z.int(),
  verified: z.boolean().optional(),
  /** in the smallest unit, as digits */
  balance: z.string(),
  quotes: z
    .record(z.string(), z.number())
    .readonly()
    .optional()
    .describe("Price of a whole unit, where one is known"),
};

/** Fields of an event in a history, besides the one that names whose history it is. */
export const eventFields = {
  direction: z.enum(["In", "Out"]),
  network: z.string(),
  blockNumber: z.int(),
  txHash: z.string(),
  /** distinguishes several movements of one transaction in the history; absent where there is only one */
  index: z.string().optional(),
  timestamp: z.string(),
  metadata: z.object({ asset: transferAssetSchema, fee: transferAssetSchema.optional() }),
  fee: z.string().optional(),
};

/** Fields of an event that has one sender and one recipient. */
export const movementFields = { ...eventFields, from: z.string().optional(), to: z.string() };

/** Fields of a movement of a fungible asset. */
export const fungibleFields = {
  /** in the smallest unit, as digits */
  value: z.string(),
  symbol: z.string().optional(),
  decimals: z.int().optional(),
};
const fungibleSchema = z.object(fungibleFields);
type Fungible = z.infer<typeof fungibleSchema>;

/** The view of a token that a wallet holds. @param names the fields that name the token */
export const heldToken = <Kind extends string, Named extends z.ZodRawShape>(kind: Kind, names: Named) =>
  z.object({ kind: z.literal(kind), ...names, ...heldFields });

/** The view of a movement of a fungible token. @param names the fields that name the token, and whose history it is */
export const tokenMovement = <Kind extends string, Named extends z.ZodRawShape>(kind: Kind, names: Named) =>
  z.object({ kind: z.literal(kind), ...names, ...movementFields, ...fungibleFields });

/** The memo or destination tag of an event whose kind may have one. */
export const eventMemo = { memo: z.string().optional() };

/** The part of a held asset's view that the family supplies: which token it is. */
export type TokenOf<Held> = Held extends unknown ? Omit<Held, keyof typeof heldFields> : never;

/** The part of an event's view that the family supplies: the movement, without its transaction and parties. */
export type MovementOf<Event> = Event extends unknown
  ? Omit<Event, keyof typeof movementFields | keyof typeof eventMemo>
  : never;

/** Shows how much of an asset moved. */
export const fungible = (value: string, { symbol, decimals }: Asset): Fungible => ({
  value,
  ...(symbol === undefined ? {} : { symbol }),
  ...(decimals === undefined ? {} : { decimals }),
});

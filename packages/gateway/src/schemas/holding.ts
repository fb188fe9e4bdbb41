import { heldAssetViewSchema, historyEntryViewSchema, MOST_TOKENS_SHOWN } from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { pageQuerySchema } from "../http/pagination.ts";

const amounts = z.record(z.string(), z.number()).readonly();
export const assetsQuerySchema = z.object({ netWorth: z.enum(["true", "false"]).optional() });

export const walletAssetsSchema = z
  .object({
    walletId: z.string(),
    network: z.string(),
    assets: z
      .array(heldAssetViewSchema)
      // the native coin, and tokens
      .max(1 + MOST_TOKENS_SHOWN)
      .readonly(),
    netWorth: amounts.optional(),
  })
  .openapi("WalletAssets");

/** A non-fungible token (wire interface, section F.8). */
const ownedTokenSchema = z.object({
  kind: z.enum(["Erc721", "Trc721"]),
  contract: z.string(),
  tokenId: z.string(),
  symbol: z.string().optional(),
});
export type OwnedTokenView = z.infer<typeof ownedTokenSchema>;

export const walletNftsSchema = z
  .object({
    walletId: z.string(),
    network: z.string(),
    nfts: z.array(ownedTokenSchema).max(MOST_TOKENS_SHOWN).readonly(),
  })
  .openapi("WalletNfts");

const LONGEST_CONTRACT = 256;

export const historyQuerySchema = pageQuerySchema.extend({
  direction: z.enum(["In", "Out"]).optional(),
  kind: z
    .string()
    .regex(/^[A-Z][A-Za-z0-9]{1,40}Transfer$/, "is not a kind of event")
    .optional(),
  contract: z
    .string()
    .regex(/^[!-~]+$/, "is not a contract")
    .max(LONGEST_CONTRACT)
    .optional(),
});

/** The beginning and end of the requested time, ISO 8601. */
export const organisationHistoryQuerySchema = pageQuerySchema.extend({
  startTime: z.iso.datetime({ offset: true }),
  endTime: z.iso.datetime({ offset: true }),
});

export const organisationHistorySchema = z
  .object({
    orgId: z.string(),
    items: z
      .array(
        z.object({
          timestamp: z.string(),
          walletId: z.string(),
          network: z.string(),
          direction: z.enum(["In", "Out"]),
          from: z.string().optional(),
          to: z.string(),
          amount: z.string().optional(),
          tokenId: z.string().optional(),
          asset: z.string(),
          symbol: z.string().optional(),
          decimals: z.string().optional(),
          fee: z.string().optional(),
          feeSymbol: z.string().optional(),
          feeDecimals: z.string().optional(),
          txHash: z.string(),
          index: z.string().optional(),
          memo: z.string().optional(),
        }),
      )
      .readonly(),
    nextPageToken: z.string().optional(),
  })
  .openapi("OrganisationHistory");

export const walletHistorySchema = z
  .object({
    items: z.array(historyEntryViewSchema).readonly(),
    nextPageToken: z.string().optional(),
    walletId: z.string(),
    network: z.string(),
  })
  .openapi("WalletHistory");

const level = z.object({ maxPriorityFeePerGas: z.string(), maxFeePerGas: z.string() });

const rate = z.object({
  feeRate: z.string().openapi({ description: "Satoshis a virtual byte" }),
  blockHorizon: z.int().openapi({ description: "Blocks within which it is expected to land" }),
});
const price = z.object({
  computeUnitPrice: z.string().openapi({ description: "Micro-lamports a compute unit" }),
});
const frame = { network: z.string(), blockNumber: z.int() };

export const feesSchema = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("Eip1559"),
      ...frame,
      baseFeePerGas: z.string(),
      estimatedBaseFee: z
        .number()
        .optional()
        .openapi({ description: "The same as a number, in wei, as clients up to 0.5.8 want it", example: 7 }),
      slow: level,
      standard: level,
      fast: level,
    }),
    z.object({ kind: z.literal("Bitcoin"), ...frame, slow: rate, standard: rate, fast: rate }),
    z.object({ kind: z.literal("Solana"), ...frame, slow: price, standard: price, fast: price }),
  ])
  .openapi("NetworkFees");

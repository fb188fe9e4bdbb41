import { z } from "zod";
import { storeIdSchema } from "../key/key-body.ts";
import { nameText } from "../text.ts";
import { MOST_WALLETS_OF_A_JOB } from "./bulk-job.ts";
import { createWalletBodySchema, WALLET_NAME_LENGTH } from "./wallet-body.ts";

/** The longest ending of a wallet's name: `-` and its number. */
const ENDING_LENGTH = `-${MOST_WALLETS_OF_A_JOB}`.length;

/**
 * The body of POST /wallets/bulk-create. `judgeNetwork` and `judgeKeyOptions` judge the network and the store,
 * with error codes of their own.
 */
export const bulkCreateBodySchema = z.strictObject({
  network: createWalletBodySchema.shape.network,
  count: z.int().min(1).max(MOST_WALLETS_OF_A_JOB),
  name: nameText(WALLET_NAME_LENGTH - ENDING_LENGTH),
  tags: createWalletBodySchema.shape.tags,
  keystoreId: storeIdSchema.optional(),
});
export type BulkCreateBody = z.infer<typeof bulkCreateBodySchema>;

/** The name of a job's wallet. */
export const bulkWalletName = (namePrefix: string, number: number): string => `${namePrefix}-${number}`;

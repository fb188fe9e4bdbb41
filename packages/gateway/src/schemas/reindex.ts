import { shortText } from "@conclave/custody";
import { z } from "@hono/zod-openapi";

/** longer than a transaction's hash on any network; `judgeTransactionId` judges it, with an error code of its own */
const HASH_LENGTH = 256;

/** The body of `reindexTransaction` in the Python client 1.0.4. */
export const reindexTransactionBodySchema = z.strictObject({ txHash: shortText(HASH_LENGTH) });

export const reindexedSchema = z.object({ success: z.literal(true) });

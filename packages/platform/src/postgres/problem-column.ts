import { isErrorCode } from "@conclave/custody";
import { z } from "zod";

/** A problem as it is stored in a row. */
export const problemSchema = z.object({
  code: z.string().refine(isErrorCode),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});

import { isErrorCode } from "@conclave/custody";
import { z } from "zod";

/** A problem as a row keeps it for whoever asks later. */
export const problemSchema = z.object({
  code: z.string().refine(isErrorCode),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});

import { randomBytes } from "node:crypto";
import { makeId } from "@conclave/custody";
import type { z } from "zod";

const ID_BYTES = 26;

/** Makes a new id of the schema's kind from system randomness, for example `freshId(walletIdSchema, "wa")`. */
export const freshId = <Schema extends z.ZodType>(schema: Schema, prefix: string): z.output<Schema> =>
  makeId(schema, prefix, randomBytes(ID_BYTES));

import type { ChangeRequest } from "@conclave/custody";
import { UnreadableRow } from "@conclave/platform";
import type { z } from "zod";

/**
 * Reads a part of a change that waited for its approval: an id, or what is changed. Its row holds both as any JSON.
 * @throws UnreadableRow where it does not fit: the change is not made, and the operator is named
 */
export const readInChange = <Schema extends z.ZodType>(
  { id }: Pick<ChangeRequest, "id">,
  column: "entity_id" | "body",
  schema: Schema,
  value: unknown,
): z.output<Schema> => {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new UnreadableRow({ record: id, columns: [column] });
};

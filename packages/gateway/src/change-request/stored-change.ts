import type { ChangeRequest } from "@conclave/custody";
import { UnreadableRow } from "@conclave/platform";
import type { z } from "zod";

/**
 * Reads an id or the body of a stored change, both of which its row holds as any JSON.
 * @throws UnreadableRow where it does not fit: the change is not made, and the error names the row for the operator
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

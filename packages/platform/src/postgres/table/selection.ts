import { z } from "zod";
import { columnNameOf } from "./column-name.ts";

/** Properties and how their columns are read. */
export type Columns = z.ZodRawShape;

/** The values of columns, as they are read. */
export type RowOf<C extends Columns> = Readonly<z.output<z.ZodObject<C>>>;

/** The list that a statement selects, under the names of properties, and the schema of its rows. */
export interface Selection<C extends Columns> {
  /** `id, org_id as "orgId"`: stands behind `select` or `returning` */
  readonly list: string;
  readonly row: z.ZodObject<C>;
}

/** Columns as they are selected. @param of the table or its alias, where a statement reads several */
export const listOf = (columns: Columns, of?: string): string =>
  Object.keys(columns)
    .map((property) => {
      const name = columnNameOf(property);
      const column = of === undefined ? name : `${of}.${name}`;
      return name === property ? column : `${column} as "${property}"`;
    })
    .join(", ");

/** Selects these columns and no others. @param of the table or its alias, where a statement reads several */
export const selectionOf = <C extends Columns>(columns: C, of?: string): Selection<C> => ({
  list: listOf(columns, of),
  row: z.object(columns),
});

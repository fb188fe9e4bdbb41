import { z } from "zod";
import { columnNameOf } from "./column-name.ts";

/** Properties, and the schemas that read their columns. */
export type Columns = z.ZodRawShape;

/** The values of columns after parsing. */
export type RowOf<C extends Columns> = Readonly<z.output<z.ZodObject<C>>>;

/** A select list that names columns like properties, and the schema of its rows. */
export interface Selection<C extends Columns> {
  /** as in `id, org_id as "orgId"`; goes after `select` or `returning` */
  readonly list: string;
  readonly row: z.ZodObject<C>;
}

/** The select list of columns. @param of table or alias, if a statement reads several tables */
export const listOf = (columns: Columns, of?: string): string =>
  Object.keys(columns)
    .map((property) => {
      const name = columnNameOf(property);
      const column = of === undefined ? name : `${of}.${name}`;
      return name === property ? column : `${column} as "${property}"`;
    })
    .join(", ");

/** Selects these columns and no others. @param of table or alias, if a statement reads several tables */
export const selectionOf = <C extends Columns>(columns: C, of?: string): Selection<C> => ({
  list: listOf(columns, of),
  row: z.object(columns),
});

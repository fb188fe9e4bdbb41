import { type SourceFile, withoutComments } from "./source-files.ts";

/** A database table and its columns after all migrations. */
export interface MigratedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

const definitionOf = (table: string): RegExp => new RegExp(`\\b(?:plainTable|mappedTable)\\(\\s*"${table}"`);
const insertInto = (table: string): RegExp => new RegExp(`\\binsert into ${table}\\b`);

/** The file that defines a table or, if none does, the files whose plain SQL inserts into it. */
export const homesOf = (files: readonly SourceFile[], table: string): readonly string[] => {
  const of = (pattern: RegExp) =>
    files.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path);
  const defined = of(definitionOf(table));
  return defined.length > 0 ? defined : of(insertInto(table));
};

/** Whether a name is recognisable as a column: a single word may equally be a property or prose. */
const isDistinct = (column: string): boolean => column.includes("_");

/**
 * Columns that a file names although it is the home of no table with that column, if another file names the column too.
 * @returns `path: column, column` for each such file
 */
export const columnsAway = (
  files: readonly SourceFile[],
  tables: readonly MigratedTable[],
): readonly string[] => {
  const tableNames = new Set(tables.map(({ name }) => name));
  const names = new Set(tables.flatMap(({ columns }) => columns).filter(isDistinct));
  const homes = tables.map(({ name, columns }) => ({ columns, files: homesOf(files, name) }));
  const spelled = files.map(({ path, text }) => {
    const words = new Set(withoutComments(text).match(/\b[a-z]+(?:_[a-z]+)+\b/g));
    const atHome = new Set(homes.filter((one) => one.files.includes(path)).flatMap(({ columns }) => columns));
    const isColumn = (word: string) => names.has(word) && !tableNames.has(word);
    return { path, text, atHome, columns: [...words].filter(isColumn) };
  });
  const isElsewhere = (column: string, path: string): boolean =>
    spelled.some(
      (one) =>
        one.path !== path &&
        (one.columns.includes(column) || (one.atHome.has(column) && one.text.includes(propertyOf(column)))),
    );
  return spelled.flatMap(({ path, atHome, columns }) => {
    const away = columns.filter((column) => !atHome.has(column) && isElsewhere(column, path)).sort();
    return away.length === 0 ? [] : [`${path}: ${away.join(", ")}`];
  });
};

const propertyOf = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Found from the package's folder, so that sources, compiled code and bundles read the same files. */
const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve("@conclave/platform/package.json")),
  "src/postgres/migrations",
);
const FILE_NAME = /^\d{3}_[a-z_]+\.sql$/;
/**
 * first line of a file whose statements run one by one, outside a transaction, and can be repeated: an interrupted file
 * starts over
 */
const OUTSIDE = "-- outside a transaction";
/** before a statement of such a file that changes some rows at a time: it is repeated until it changes none */
const REPEATED = "-- until it changes nothing";

/** A statement of a file that runs outside a transaction. */
export interface LoneStatement {
  readonly text: string;
  readonly isRepeated: boolean;
}

/** A numbered SQL file: a script that runs in one transaction, or statements that each run by themselves. */
export type MigrationFile =
  | { readonly name: string; readonly kind: "script"; readonly text: string }
  | { readonly name: string; readonly kind: "statements"; readonly statements: readonly LoneStatement[] };

/**
 * The names of the files of this version, in order. The disk is read at once: a simulated process asks for them at its start, and an answer
 * that came later would come in real time.
 */
export const migrationNames = async (folder: string = FOLDER): Promise<readonly string[]> =>
  readdirSync(folder)
    .filter((name) => FILE_NAME.test(name))
    .sort();

/** The paths of the files of this version, in order. */
export const migrationFiles = async (): Promise<readonly string[]> =>
  (await migrationNames()).map((name) => join(FOLDER, name));

/** Reads a file by its name. */
export const readMigration = async (name: string, folder: string = FOLDER): Promise<MigrationFile> => {
  const text = await readFile(join(folder, name), "utf8");
  if (!text.startsWith(OUTSIDE)) return { name, kind: "script", text };
  // such a file contains no function, so a semicolon at the end of a line ends a statement
  const statements = text
    .split(/;[ \t]*$/m)
    .map((part) => ({ text: part.trim(), isRepeated: part.includes(REPEATED) }))
    .filter((part) => part.text !== "");
  return { name, kind: "statements", statements };
};

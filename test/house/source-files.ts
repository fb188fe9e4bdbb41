import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

export interface SourceFile {
  /** relative to the root of the repository, with forward slashes */
  readonly path: string;
  readonly text: string;
}

const SKIPPED = new Set(["node_modules", "dist", ".git", ".conclave", "coverage", "generated", "target"]);

const walk = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });

const posix = (path: string): string => relative(ROOT, path).split("\\").join("/");

/** Every file below the given folders, without generated and installed ones. */
export const pathsBelow = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) => walk(join(ROOT, folder)).map(posix));

/** Every TypeScript file below the given folders, without generated and installed ones. */
export const sourcesBelow = (...folders: readonly string[]): readonly SourceFile[] =>
  pathsBelow(...folders)
    .filter((path) => path.endsWith(".ts"))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

export const isTest = (path: string): boolean => path.endsWith(".test.ts") || path.includes("/testing/");

/** Whether a file holds tests: a test file, or a part of a test file that shares its cluster. */
export const holdsTests = (path: string): boolean =>
  path.endsWith(".test.ts") || /^test\/(integration|compat|chaos)\//.test(path);

/** The package or service of a file, such as "packages/threshold". */
export const roomOf = (path: string): string => path.split("/").slice(0, 2).join("/");

export const foldersIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

/** Source text without its comments, so that comments may name forbidden things. */
export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[^:"'`])\/\/.*$/gm, "$1");

const SPECIFIERS = [
  /\bfrom\s+"([^"]+)"/g,
  /\bimport\s+"([^"]+)"/g,
  /\bimport\(\s*"([^"]+)"\s*\)/g,
  /\brequire\(\s*"([^"]+)"\s*\)/g,
  /\bnew URL\(\s*"([^"]+)",\s*import\.meta\.url/g,
];

/** The specifiers of all imports of a file, in any form. */
export const importsOf = (file: SourceFile): readonly string[] => {
  const text = withoutComments(file.text);
  return SPECIFIERS.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ""));
};

import { codeOf } from "./code-text.ts";
import { roomOf, type SourceFile } from "./source-files.ts";

export interface ExportedName {
  readonly name: string;
  readonly path: string;
}

const DECLARATION =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|var|function\*?|class|interface|type|enum|namespace)\s+([\w$]+)/gm;
const LIST = /^export\s+(?:type\s+)?\{([^}]*)\}(?!\s*from\b)/gm;

/** The names that a file declares and exports; re-exported names are left out. */
export const exportsOf = ({ path, text }: SourceFile): readonly ExportedName[] => {
  const code = codeOf(text);
  const declared = [...code.matchAll(DECLARATION)].map((match) => match[1] ?? "");
  const listed = [...code.matchAll(LIST)].flatMap((match) => namesIn(match[1] ?? "").map(({ as }) => as));
  return [...new Set([...declared, ...listed])].map((name) => ({ name, path }));
};

/** The names in the braces of an import or export. */
const namesIn = (list: string): readonly { readonly of: string; readonly as: string }[] =>
  list.split(",").flatMap((entry) => {
    const [, of, as] = /^\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(entry) ?? [];
    return of === undefined ? [] : [{ of, as: as ?? of }];
  });

/** Names that files of several packages declare and export, which a reader could confuse. */
export const namesOfTwoPackages = (
  files: readonly SourceFile[],
  reasons: Readonly<Record<string, string>> = {},
): readonly string[] => namesTwice(files, reasons, (paths) => new Set(paths.map(roomOf)).size > 1);

/** Names that two files of one package declare and export. */
export const namesTwiceInAPackage = (
  files: readonly SourceFile[],
  reasons: Readonly<Record<string, string>> = {},
): readonly string[] =>
  [...groupedBy(files, ({ path }) => roomOf(path)).values()].flatMap((own) =>
    namesTwice(own, reasons, (paths) => paths.length > 1),
  );

const namesTwice = (
  files: readonly SourceFile[],
  reasons: Readonly<Record<string, string>>,
  isTooMuch: (paths: readonly string[]) => boolean,
): readonly string[] => {
  const places = groupedBy(files.flatMap(exportsOf), ({ name }) => name);
  return [...places]
    .map(([name, found]) => ({ name, paths: found.map(({ path }) => path) }))
    .filter(({ name, paths }) => reasons[name] === undefined && isTooMuch(paths))
    .map(({ name, paths }) => `${name} is exported by ${paths.join(" and by ")}: one word, one thing`)
    .sort();
};

const groupedBy = <T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};

const IMPORTED = /\bimport\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\b/g;
const WHOLE = /\bimport\s+(?:type\s+)?\*\s+as\s+([\w$]+)\s+from\b/g;
const TYPE = /^export\s+(?:declare\s+)?(?:interface|type)\s+([\w$]+)/gm;

/**
 * Names that a package's file exports and no other file, tests included, imports. A type that its own file uses may stay: it is
 * part of the signatures of that file. Imports are matched by name alone, whatever the module, which is exact as long as no
 * name is exported twice.
 */
export const deadExports = (
  files: readonly SourceFile[],
  users: readonly SourceFile[],
): readonly string[] => {
  const uses = new Map<string, Set<string>>();
  for (const user of users) {
    for (const name of importedBy(user)) uses.set(name, (uses.get(name) ?? new Set()).add(user.path));
  }
  return files
    .filter(({ path }) => !path.endsWith("/main.ts"))
    .flatMap((file) => {
      const code = codeOf(file.text);
      const types = new Set([...code.matchAll(TYPE)].map((match) => match[1] ?? ""));
      const isUsedHere = (name: string): boolean =>
        types.has(name) && [...code.matchAll(/[\w$]+/g)].filter(([word]) => word === name).length > 1;
      return exportsOf(file)
        .filter(({ name }) => [...(uses.get(name) ?? [])].every((user) => user === file.path))
        .filter(({ name }) => !isUsedHere(name))
        .map(({ name, path }) => `${path} exports ${name}, which nobody imports`);
    });
};

const importedBy = ({ text }: SourceFile): readonly string[] => {
  const code = codeOf(text);
  const named = [...code.matchAll(IMPORTED)].flatMap((match) => namesIn(match[1] ?? "").map(({ of }) => of));
  const wholes = [...code.matchAll(WHOLE)].flatMap((match) =>
    [...code.matchAll(new RegExp(`\\b${match[1] ?? ""}\\.([\\w$]+)`, "g"))].map((use) => use[1] ?? ""),
  );
  // a file with a dynamic import may use any word in it as an imported name
  const lazy = /\bimport\(/.test(code) ? [...code.matchAll(/[\w$]+/g)].map(([word]) => word) : [];
  return [...named, ...wholes, ...lazy];
};

// The reference of a package's public API, as Markdown: every name that its `exports` reach, with its declaration and its
// comment. It reads the declarations that the compiler wrote (`make setup`); TypeScript 7 has no stable interface to its trees
// yet, and the generators of documents need one of TypeScript 6.
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** An exported name of a package. */
export interface PublicName {
  readonly name: string;
  /** the file that declares it, from the package's folder */
  readonly file: string;
  /** as the compiler wrote it, with its comment before it */
  readonly declaration: string;
}

/** The names that `import … from` one specifier gives. */
export interface EntryPoint {
  readonly specifier: string;
  readonly names: readonly PublicName[];
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly types: string }>>;
}

const STATEMENT = /^(?:\/\*\*|(?:export |declare |import ))/;
const DECLARED = /^export (?:declare )?(?:abstract )?(?:const|let|class|interface|type|function|enum) (\w+)/m;

/** The statements of a declaration file, each with the comment that stands right before it. */
const statementsIn = (text: string): readonly string[] => {
  const statements: string[] = [];
  let lines: string[] = [];
  let isInComment = false;
  const end = (): void => {
    if (lines.length > 0) statements.push(lines.join("\n"));
    lines = [];
  };
  for (const line of text.split("\n")) {
    const onlyComment = lines.length > 0 && lines[0]?.startsWith("/**") === true && !lines.some(isCode);
    if (!isInComment && STATEMENT.test(line) && !(onlyComment && isCode(line))) end();
    if (line.startsWith("/**")) isInComment = true;
    if (isInComment && line.trimEnd().endsWith("*/")) isInComment = false;
    lines.push(line);
  }
  end();
  return statements;
};

const isCode = (line: string): boolean => /^(?:export|declare|import) /.test(line);

/** All names that a declaration file exports, those of files that it exports from included. */
const namesOf = (folder: string, file: string): readonly PublicName[] => {
  const text = readFileSync(file, "utf8");
  return statementsIn(text).flatMap((statement) => {
    const from = /^export (?:type )?(\*|\{[^}]*\}) from "(\.[^"]+)\.(?:ts|js)";/m.exec(statement);
    if (from !== null) {
      const [, list = "", path = ""] = from;
      const all = namesOf(folder, join(dirname(file), `${path}.d.ts`));
      if (list === "*") return all;
      const wanted = [...list.matchAll(/(\w+)\s*(?:,|\})/g)].map(([, name = ""]) => name);
      return all.filter(({ name }) => wanted.includes(name));
    }
    const [, name] = DECLARED.exec(statement) ?? [];
    if (name === undefined) return [];
    const declaration = statement.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "").trimEnd();
    return [{ name, file: relative(folder, file), declaration }];
  });
};

/** The entry points of a compiled package, by its folder. */
export const publicApi = (folder: string): readonly EntryPoint[] => {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.entries(manifest.exports).map(([path, { types }]) => ({
    specifier: manifest.name + path.slice(1),
    names: namesOf(folder, join(folder, types)),
  }));
};

/** The reference as Markdown: an entry point, then a name, then its declaration. */
export const referenceText = (title: string, entries: readonly EntryPoint[]): string => {
  const chapters = entries.map(({ specifier, names }) => {
    const sections = [...names]
      .sort((a, b) => a.name.localeCompare(b.name, "en"))
      .map(
        ({ name, file, declaration }) => `### ${name}\n\n\`${file}\`\n\n\`\`\`ts\n${declaration}\n\`\`\`\n`,
      );
    return `## ${specifier}\n\n${names.length} names.\n\n${sections.join("\n")}`;
  });
  return `# ${title}\n\nGenerated from the compiler's declarations by \`make reference\`.\n\n${chapters.join("\n")}`;
};

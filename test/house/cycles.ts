import { join, normalize } from "node:path/posix";
import { codeOf } from "./code-text.ts";
import { roomOf, type SourceFile } from "./source-files.ts";

/** The imports that load a module, type imports included. A worker's file that is only started is none of them. */
const SPECIFIERS = [/\bfrom\s+"([^"]+)"/g, /\bimport\s+"([^"]+)"/g, /\bimport\(\s*"([^"]+)"\s*\)/g];

/**
 * Circles of files that import each other, type imports included, each circle once. Only circles within a package are sought,
 * because imports between packages run one way; a package's own name stands for its index.
 */
export const importCycles = (files: readonly SourceFile[]): readonly string[] => {
  const known = new Set(files.map(({ path }) => path));
  const graph = new Map(files.map((file) => [file.path, targetsOf(file, known)]));
  const reported = new Set<string>();
  return [...graph.keys()].flatMap((start) => {
    if (reported.has(start)) return [];
    const circle = shortestCircle(graph, start);
    if (circle === undefined) return [];
    for (const path of circle) reported.add(path);
    return [`${[...circle, start].join(" imports ")}: a circle, which nobody can read from one end`];
  });
};

const targetsOf = (file: SourceFile, known: ReadonlySet<string>): readonly string[] => {
  const code = codeOf(file.text);
  const specifiers = SPECIFIERS.flatMap((pattern) =>
    [...file.text.matchAll(pattern)]
      .filter(({ index }) => /\S/.test(code[index] ?? ""))
      .map((match) => match[1] ?? ""),
  );
  const found = specifiers.map((specifier) => resolve(file.path, specifier, known));
  return [...new Set(found.filter((path) => path !== undefined))];
};

const resolve = (path: string, specifier: string, known: ReadonlySet<string>): string | undefined => {
  if (specifier.startsWith(".")) {
    const target = normalize(join(path, "..", specifier));
    return known.has(target) ? target : undefined;
  }
  const [, own, below] = /^@conclave\/([a-z-]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (own === undefined || roomOf(path) !== `packages/${own}`) return undefined;
  const source = `packages/${own}/src`;
  const candidates = below === undefined ? [""] : [`/${below}`, `/${below}.ts`];
  return candidates
    .map((each) => (each.endsWith(".ts") ? `${source}${each}` : `${source}${each}/index.ts`))
    .find((candidate) => known.has(candidate));
};

/** The shortest import path from a file back to itself. */
const shortestCircle = (
  graph: ReadonlyMap<string, readonly string[]>,
  start: string,
): readonly string[] | undefined => {
  const ways = new Map<string, readonly string[]>([[start, [start]]]);
  for (const [at, way] of ways) {
    for (const next of graph.get(at) ?? []) {
      if (next === start) return way;
      if (!ways.has(next)) ways.set(next, [...way, next]);
    }
  }
  return undefined;
};

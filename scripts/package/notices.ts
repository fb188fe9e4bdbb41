// The licences of the packages whose code is in the bundles.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.string().default("see its text"),
});
const mapSchema = z.looseObject({ sources: z.array(z.string()) });

/** The folder of an installed package in the path of one of its files. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE_FILE = /^(?:licen[cs]e|copying)(?:$|[.-])/i;

/** The source files that a bundle's map names. @param folder of the bundle */
export const bundledSources = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".map"))
    .flatMap((name) => mapSchema.parse(JSON.parse(readFileSync(join(folder, name), "utf8"))).sources)
    .map((source) => join(folder, source));

/** The nearest folder above a module whose package.json has a name and a version: some packages have others inside. */
const noticeOf = (folder: string): readonly [string, string] | undefined => {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  const { name, version, license } = manifestSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  const texts = readdirSync(folder)
    .filter((entry) => LICENCE_FILE.test(entry))
    .sort()
    .map((entry) => readFileSync(join(folder, entry), "utf8").trim());
  const title = `${name} ${version} (${license})`;
  return [title, [title, "=".repeat(title.length), "", ...texts].join("\n")];
};

/** Makes one text of the licences of all packages that have some of these files. */
export const notices = (sources: readonly string[]): string => {
  const folders = new Set(sources.flatMap((source) => PACKAGE.exec(source)?.[0] ?? []));
  const found = new Map([...folders].flatMap((folder) => [noticeOf(folder) ?? []].filter(isNotice)));
  if (found.size === 0) throw new Error("the bundles' maps name no package");
  return `${[...found.entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, text]) => text)
    .join("\n\n\n")}\n`;
};

const isNotice = (entry: readonly string[]): entry is readonly [string, string] => entry.length === 2;

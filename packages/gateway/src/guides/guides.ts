import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { errorsDocument } from "./errors.ts";
import { renderMarkdown } from "./markdown.ts";

/** The titles of the documents in `docs/` for users of the API, by file name. */
export const GUIDES: Readonly<Record<string, string>> = {
  policies: "Policies",
  people: "People",
  webhooks: "Webhooks",
  chains: "Chains",
  api: "All operations",
  glossary: "Terms",
};

/** The titles of all pages; the table of errors is generated from the code. */
const TITLES: Readonly<Record<string, string>> = { ...GUIDES, errors: "Errors" };

/** Where guides are served. */
export const GUIDES_PATH = "/docs/guides";

/** The nearest folder above this file that has the guides, as the code may run from source, compiled, or as one bundle. */
const docsAbove = (folder: string): string | undefined => {
  const docs = join(folder, "docs");
  if (Object.keys(GUIDES).every((name) => existsSync(join(docs, `${name}.md`)))) return docs;
  const above = dirname(folder);
  return above === folder ? undefined : docsAbove(above);
};

/** Turns a link between documents into one between pages. Links to other websites stay; undefined for files without a page. */
const placeOf = (link: string): string | undefined => {
  if (link.startsWith("#") || link.startsWith("https://")) return link;
  const [, name = "", anchor = ""] = /^([a-z]+)\.md(#.*)?$/.exec(link) ?? [];
  return Object.hasOwn(TITLES, name) ? `${GUIDES_PATH}/${name}${anchor}` : undefined;
};

/** The name of the page that lists the others. */
const INDEX = "";

const pageOf = (name: string, content: string): string => {
  const links = Object.entries(TITLES).map(
    ([each, title]) =>
      `<a href="${GUIDES_PATH}/${each}"${each === name ? ' aria-current="page"' : ""}>${title}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conclave: ${TITLES[name] ?? "Guides"}</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="${GUIDES_PATH}/guides.css">
</head>
<body>
<nav><a href="/docs">API</a> ${links.join(" ")}</nav>
<main>
${content}</main>
</body>
</html>
`;
};

const indexText = (names: readonly string[]): string =>
  ["# Guides", ...names.map((name) => `- [${TITLES[name] ?? name}](${name}.md)`)].join("\n\n");

/**
 * The pages of the guides, by name, and the page that lists them by an empty one; the documents are missing where they are not installed
 * with the code.
 */
export const readGuides = (): ReadonlyMap<string, string> => {
  const docs = docsAbove(dirname(fileURLToPath(import.meta.url)));
  const texts: readonly (readonly [string, string])[] = [
    ...(docs === undefined ? [] : Object.keys(GUIDES)).map(
      (name) => [name, readFileSync(join(docs ?? "", `${name}.md`), "utf8")] as const,
    ),
    ["errors", errorsDocument()],
  ];
  const index = [INDEX, indexText(texts.map(([name]) => name))] as const;
  return new Map(
    [index, ...texts].map(([name, text]) => [name, pageOf(name, renderMarkdown(text, placeOf))]),
  );
};

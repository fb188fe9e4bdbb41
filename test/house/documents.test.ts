import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { isTest, pathsBelow, ROOT, sourcesBelow } from "./source-files.ts";

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const documents = pathsBelow(".").filter((file) => file.endsWith(".md"));

/** The anchor of a heading, as GitHub forms it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsIn = (file: string): readonly string[] =>
  [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));

/** Links of a document whose file or heading does not exist. */
const deadLinksIn = (document: string): readonly string[] =>
  [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = "", anchor] = link.split("#");
    const file = path === "" ? document : normalize(join(dirname(document), path));
    if (!existsSync(join(ROOT, file))) return [link];
    return anchor === undefined || anchorsIn(file).includes(anchor) ? [] : [link];
  });

describe("documents", () => {
  it.each(documents)("%s links to what there is", (document) => {
    expect(deadLinksIn(document)).toEqual([]);
  });

  it("docs/glossary.md names existing files and folders", () => {
    const [, table = ""] = read("docs/glossary.md").split("## Where to find it");
    const paths = [...table.matchAll(/`([a-z][\w./-]*\/[\w./-]+)`/g)].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThan(7);
    expect(paths.filter((path) => !existsSync(join(ROOT, "packages", path)))).toEqual([]);
  });

  it("docs/webhooks.md names every kind of event", () => {
    const [list = ""] = /EVENT_KINDS = \[[^\]]*\]/.exec(read("packages/custody/src/event.ts")) ?? [];
    const kinds = [...list.matchAll(/"([a-z.]+)"/g)].map(([, kind = ""]) => kind);
    const [table = ""] = /## Event kinds[\s\S]*?\n## /.exec(read("docs/webhooks.md")) ?? [];
    let about = "";
    // a kind that begins with a period takes the prefix of the kind before it
    const named = [...table.matchAll(/`([a-z.]+)`/g)].map(([, name = ""]) => {
      if (name.startsWith(".")) return `${about}${name}`;
      about = name.slice(0, name.lastIndexOf("."));
      return name;
    });
    expect(kinds.length).toBeGreaterThan(20);
    expect(kinds.filter((kind) => !named.includes(kind))).toEqual([]);
  });

  it("packages/gateway/README.md names the metric of fees that are raised", () => {
    const [, name] = /name: "(conclave_[a-z_]+)/.exec(read("packages/gateway/src/log-events.ts")) ?? [];
    expect(read("packages/gateway/README.md")).toContain(`\`${name}{network,outcome}\``);
  });

  it("packages/orchestrator/README.md names every metric of its own", () => {
    const names = sourcesBelow("packages/orchestrator/src")
      .filter(({ path }) => !isTest(path))
      .flatMap(({ text }) => [...text.matchAll(/name: ["`](conclave_[a-z_]+)/g)])
      .map(([, name = ""]) => name);
    const readme = read("packages/orchestrator/README.md");
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !readme.includes(`\`${name}`))).toEqual([]);
  });
});

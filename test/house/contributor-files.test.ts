import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { foldersIn, pathsBelow, ROOT } from "./source-files.ts";

const read = (...path: readonly string[]): string => readFileSync(join(ROOT, ...path), "utf8");
const manifestSchema = z.looseObject({
  version: z.string(),
  engines: z.looseObject({ node: z.string() }).optional(),
});
const manifest = (...folder: readonly string[]) =>
  manifestSchema.parse(JSON.parse(read(...folder, "package.json")));

describe("a contributor's editor", () => {
  const settings = (section: string): ReadonlyMap<string, string> => {
    const [, body = ""] = read(".editorconfig").split(`[${section}]\n`);
    const [own = ""] = body.split("\n[");
    return new Map(
      [...own.matchAll(/^(\w+) = (.*)$/gm)].map(([, name = "", value = ""]) => [name, value] as const),
    );
  };

  it("formats as Biome does", () => {
    const { formatter } = z
      .looseObject({
        formatter: z.object({ indentStyle: z.string(), indentWidth: z.number(), lineWidth: z.number() }),
      })
      .parse(JSON.parse(read("biome.json")));
    expect({
      indentStyle: settings("*").get("indent_style"),
      indentWidth: Number(settings("*").get("indent_size")),
      lineWidth: Number(settings("*.{ts,js,mjs,json}").get("max_line_length")),
    }).toEqual(formatter);
  });
});

describe(".env.example", () => {
  /** Compose itself reads these variables. */
  const OF_COMPOSE = ["COMPOSE_FILE", "COMPOSE_PROFILES", "COMPOSE_PROJECT_NAME"];

  it("lists the variables that the compose files read, and no other", () => {
    const files = pathsBelow("deploy").filter((path) => /compose[a-z.]*\.yaml$/.test(path));
    const variables = files.flatMap((file) =>
      [...read(file).matchAll(/\$\{([A-Z_]+)/g)].map(([, name = ""]) => name),
    );
    const listed = [...read(".env.example").matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    expect(files.length).toBeGreaterThan(2);
    expect(listed.sort()).toEqual([...new Set([...variables, ...OF_COMPOSE])].sort());
  });
});

describe("a release", () => {
  it("has one version, which the newest dated heading of CHANGELOG.md names", () => {
    const folders = ["packages", "services"].flatMap((room) => foldersIn(room).map((name) => [room, name]));
    const versions = [[], ["test"], ["examples"], ...folders].map((folder) => manifest(...folder).version);
    const [, newest] = /^## (\d+\.\d+\.\d+) — \d{4}-\d{2}-\d{2}$/m.exec(read("CHANGELOG.md")) ?? [];
    expect([...new Set(versions)]).toEqual([newest]);
  });
});

describe("the workflow of a forge", () => {
  const workflow = z
    .looseObject({
      jobs: z.object({
        test: z.looseObject({
          strategy: z.looseObject({ matrix: z.object({ node: z.array(z.string()) }) }),
          steps: z.array(z.looseObject({ run: z.string().optional() })),
        }),
      }),
    })
    .parse(parse(read(".github/workflows/ci.yml")));
  const { strategy, steps } = workflow.jobs.test;

  it("runs the gate, on the oldest Node that the project takes and on newer ones", () => {
    const [, oldest] = /^>=(\d+)\./.exec(manifest().engines?.node ?? "") ?? [];
    expect(strategy.matrix.node[0]).toBe(oldest);
    expect(strategy.matrix.node.length).toBeGreaterThan(1);
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual([".ci/run"]);
  });

  it.each(pathsBelow(".github").filter((path) => path.endsWith(".yml")))("%s is YAML", (path) => {
    expect(parse(read(path))).toBeTypeOf("object");
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as testbed from "@conclave/testbed";
import * as threshold from "@conclave/threshold";
import * as testing from "@conclave/threshold/testing";
import { describe, expect, it } from "vitest";
import { publicApi, referenceText } from "../../scripts/reference/reference.ts";

const folderOf = (name: string): string => join(testbed.repositoryRoot(), "packages", name);

describe("the reference that `make reference` writes", () => {
  it.each([
    ["threshold", "@conclave/threshold", threshold],
    ["threshold", "@conclave/threshold/testing", testing],
    ["testbed", "@conclave/testbed", testbed],
  ])("of %s names every value of %s, with its declaration", (folder, specifier, module) => {
    const names = publicApi(folderOf(folder)).find((entry) => entry.specifier === specifier)?.names ?? [];
    const missing = Object.keys(module).filter((value) => !names.some(({ name }) => name === value));
    expect(names.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
    for (const { name, declaration } of names) {
      expect(declaration).toMatch(new RegExp(`^export .*\\b${name}\\b`, "m"));
      expect(declaration.match(/^export /gm)).toHaveLength(1);
    }
  });

  it("names every type of the library too, once", () => {
    const index = readFileSync(join(folderOf("threshold"), "src", "index.ts"), "utf8");
    const exported = [...index.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
      names
        .split(",")
        .map((name) => name.trim().replace(/^type /, ""))
        .filter((name) => name !== ""),
    );
    const [entry] = publicApi(folderOf("threshold"));
    expect(entry?.names.map(({ name }) => name).sort()).toEqual(exported.sort());
  });

  it("shows each name under a heading, with its comment", () => {
    const text = referenceText("@conclave/threshold", publicApi(folderOf("threshold")));
    const section = text.slice(text.indexOf("### verifyEd25519\n"));
    expect(section).toMatch(
      /^### verifyEd25519\n\n`dist\/ed25519\.d\.ts`\n\n```ts\n\/\*\*\n[^`]+\nexport declare const verifyEd25519/,
    );
    expect(text).not.toContain("sourceMappingURL");
  });
});

import { describe, expect, it } from "vitest";
import { importsOf, isTest, sourcesBelow, withoutComments } from "./source-files.ts";

/** The one file that may call node:crypto, for deterministic big-integer work. */
const ARITHMETIC = "packages/threshold/src/arithmetic/openssl.ts";
const TYPES_OF_ARITHMETIC = "packages/threshold/src/arithmetic/node-crypto.d.ts";
const LIBRARIES = /^(@noble\/(curves|hashes|ciphers)(\/|$)|zod$)/;

const pure = sourcesBelow("packages/threshold/src", "packages/cluster/src", "packages/custody/src").filter(
  ({ path }) => !isTest(path),
);

const AMBIENT: readonly (readonly [string, RegExp])[] = [
  ["the clock", /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\b/],
  ["ambient randomness", /\bMath\.random\b|\bgetRandomValues\b|\brandomBytes\s*\(/],
  ["the environment", /\bprocess\s*\./],
  ["a timer", /\bset(Timeout|Interval|Immediate)\b/],
  ["the console", /\bconsole\s*\./],
  ["the network", /\bfetch\s*\(/],
];

describe("pure packages", () => {
  it("import nothing of Node but the one arithmetic file", () => {
    const broken = pure
      .filter(({ path }) => path !== ARITHMETIC && path !== TYPES_OF_ARITHMETIC)
      .flatMap((file) =>
        importsOf(file)
          .filter((specifier) => specifier.startsWith("node:"))
          .map((specifier) => `${file.path} imports ${specifier}; only ${ARITHMETIC} may call Node`),
      );
    expect(broken).toEqual([]);
  });

  it("import no library but noble and zod", () => {
    const broken = pure.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => !/^(\.|node:|@conclave\/)/.test(specifier) && !LIBRARIES.test(specifier))
        .map((specifier) => `${file.path} imports ${specifier}; a pure package takes noble and zod only`),
    );
    expect(broken).toEqual([]);
  });

  it.each(AMBIENT)("do not reach for %s", (name, pattern) => {
    const broken = pure
      .filter(({ text }) => pattern.test(withoutComments(text)))
      .map(({ path }) => `${path} reaches for ${name}; it is to be handed in`);
    expect(broken).toEqual([]);
  });
});

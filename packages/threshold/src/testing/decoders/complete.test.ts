import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EVERY_DECODER } from "./every-decoder.ts";

const SRC = join(import.meta.dirname, "..", "..");
/** pointCodecOf and scalarCodecOf for secp256k1 */
const OTHER_NAMES = ["codec.ts pointCodec", "codec.ts scalarCodec"];

const productFiles = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .map((path) => path.split("\\").join("/"))
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.startsWith("testing/"));

const exported = productFiles.flatMap((path) =>
  [...readFileSync(join(SRC, path), "utf8").matchAll(/export const (\w*Codec(?:Of)?)\b/g)].map(
    ([, name]) => `${path} ${name}`,
  ),
);

/** Arguments of `decode` that are not named like an exported codec. */
const used = productFiles.flatMap((path) =>
  [...readFileSync(join(SRC, path), "utf8").matchAll(/\bdecode\(\s*(\w+)/g)].flatMap(([, name = ""]) =>
    /codec(Of)?$/i.test(name) || name === "fixedBytes" || path === "codec.ts" ? [] : [`${path} ${name}`],
  ),
);

it("P13 P20 every codec of the package is tested with arbitrary strings", () => {
  const fed = new Set([...EVERY_DECODER.map(({ name }) => name), ...OTHER_NAMES]);
  const missing = exported
    .filter((name) => !fed.has(name))
    .map((name) => `${name}: add it to testing/decoders`);
  const gone = [...fed].filter((name) => !exported.includes(name));
  expect({ missing, gone }).toEqual({ missing: [], gone: [] });
});

it("every round reads messages only by exported codecs, or as bytes of a fixed length", () => {
  expect(used).toEqual([]);
});

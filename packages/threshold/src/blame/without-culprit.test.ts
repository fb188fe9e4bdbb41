import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SRC = join(import.meta.dirname, "..");
const document = readFileSync(join(SRC, "../../../docs/threshold-proofs.md"), "utf8");

const productFiles = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.startsWith("testing/"),
);

/** The literals in all calls of `abort`, and in the functions that explain why a dealt key is degenerate. */
const reasons = productFiles.flatMap((path) => {
  const text = readFileSync(join(SRC, path), "utf8");
  const calls = [...text.matchAll(/\babort\(([^;`]*?)\)[;\n ]/g)].map(([, inner = ""]) => inner);
  const flaws = [...text.matchAll(/^const flawOf(?:NewInfo)? = [\s\S]*?^};/gm)].map(([whole]) => whole);
  const exported = [...text.matchAll(/^export const flawOfNewInfo = [\s\S]*?^};/gm)].map(([whole]) => whole);
  const isKeygen = path.startsWith("keygen") || path.startsWith("redistribution");
  const sources = isKeygen ? [...calls, ...flaws, ...exported] : calls;
  return sources.flatMap((source) => [...source.matchAll(/"([^"]+)"/g)].map(([, reason = ""]) => reason));
});

it("INV-7 every way to end without a culprit has a stated bound on what it can cost", () => {
  expect(reasons).toContain("presign/2 Γ is the identity");
  expect(reasons).toContain("keygen/2 secret share is zero");
  expect(reasons).toContain("the new shares are not of the key");
  expect(reasons.length).toBeGreaterThanOrEqual(11);
  expect(reasons.filter((reason) => !document.includes(`\`${reason}\``))).toEqual([]);
});

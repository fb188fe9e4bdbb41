import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const sources = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.includes("testing/"))
    .map((file) => join(folder, file));

/** The named values that a file imports from a module of ours, types left out. */
const importedValues = (file: string): readonly string[] =>
  [
    ...readFileSync(join(ROOT, file), "utf8").matchAll(
      /^import \{([^}]*)\} from "@conclave\/(cluster|threshold)/gm,
    ),
  ]
    .flatMap(([, names = ""]) => names.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "));

/** Code that holds none of these can neither open a session nor advance one. */
const HEAVY = /^(compute|openHost|openSession|deliver|start[A-Z]\w*|isProbablePrime)$/;

describe("heavy work", () => {
  test("is in reach of the worker thread's entry alone, so health checks never wait for it", () => {
    const files = [...sources("packages/signer/src"), ...sources("packages/platform/src")];
    const heavy = files.filter((file) => importedValues(file).some((name) => HEAVY.test(name)));
    expect(heavy).toEqual([join("packages/platform/src", "compute/worker.ts")]);
  });

  test("is never asked of node:crypto in its synchronous form", () => {
    const files = [...sources("packages/signer/src"), ...sources("packages/platform/src")];
    const blocking = files.filter((file) =>
      /generatePrimeSync|scryptSync|pbkdf2Sync/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(blocking).toEqual([]);
  });
});

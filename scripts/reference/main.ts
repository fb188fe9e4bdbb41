// Writes .conclave/reference/<package>.md for the packages that others build on.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publicApi, referenceText } from "./reference.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const TARGET = join(ROOT, ".conclave", "reference");

mkdirSync(TARGET, { recursive: true });
for (const name of ["threshold", "testbed"]) {
  const entries = publicApi(join(ROOT, "packages", name));
  const file = join(TARGET, `${name}.md`);
  writeFileSync(file, referenceText(`@conclave/${name}`, entries));
  const count = entries.reduce((sum, { names }) => sum + names.length, 0);
  console.log(`${file}: ${count} names of ${entries.length} entry points`);
}

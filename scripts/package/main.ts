// Packs the program for `npx conclave up`: .conclave/package is the folder, and the packed file lies beside it.
import { join } from "node:path";
import { makePackage } from "./make-package.ts";
import { pack } from "./pack.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const STATE = join(ROOT, ".conclave");
const FOLDER = join(STATE, "package");
const MEGABYTE = 1_000_000;

await makePackage(ROOT, FOLDER);
const { filename, size, unpackedSize, files } = await pack(FOLDER, STATE);
const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;
console.log(
  `${join(STATE, filename)}: ${files.length} files, ${megabytes(size)}, ${megabytes(unpackedSize)} unpacked`,
);

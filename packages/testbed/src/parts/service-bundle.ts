import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "../launch-error.ts";

/** The file that tsc writes last when it compiles a folder. */
const COMPILED = "dist/.tsbuildinfo";

/** A service's bundle with or without fault points. The simulated ledgers have no bundle with fault points. */
export type BundleKind = "bundle" | "bundle-faults";

const REMEDY = "Run `make setup`.";

const writtenMs = (file: string): number => (existsSync(file) ? statSync(file).mtimeMs : 0);

/** The time of the last compilation of any package that the service may contain, in Unix milliseconds. */
const compiledMs = (root: string, service: string): number => {
  const packages = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
  return Math.max(
    ...[...packages, join(root, "services", service)].map((folder) => writtenMs(join(folder, COMPILED))),
  );
};

/**
 * Finds the file that a service's process runs: a bundle of the compiled code (scripts/bundle.sh).
 *
 * @param root of the repository
 * @throws LaunchError if the bundle is missing, or older than the compiled code
 */
export const serviceBundle = (root: string, service: string, kind: BundleKind = "bundle"): string => {
  const main = join(root, "services", service, "dist", kind, "main.js");
  if (!existsSync(main)) {
    const missing = kind === "bundle" ? "is not compiled" : "has no bundle with fault points";
    throw new LaunchError(`services/${service} ${missing}`, REMEDY);
  }
  if (writtenMs(main) >= compiledMs(root, service)) return main;
  throw new LaunchError(`services/${service} was compiled and not bundled since`, REMEDY);
};

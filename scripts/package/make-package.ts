// The folder of the packed program. Its files lie where they lie in the repository, so that programs find them at the same paths:
// the CLI and the services as bundles, and beside them the files that these read. The bundles of the services are those of
// scripts/bundle.sh, without V8's code caches, which fit one version of Node alone (scripts/bundle/launch.ts does without them).
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { GUIDES } from "../../packages/gateway/src/guides/guides.ts";
import { REQUIRE } from "../bundle/require.ts";
import { packageManifest } from "./manifest.ts";
import { bundledSources, notices } from "./notices.ts";

const SERVICES = ["gateway", "ledger", "orchestrator", "signer"] as const;
/** Files of the CLI: its workers are for `conclave bench`. */
const ENTRIES = {
  main: "packages/cli/dist/main.js",
  worker: "packages/platform/dist/compute/worker.js",
};
const CLI = join("packages", "cli");
const MIGRATIONS = join("src", "postgres", "migrations");
/** The files of swagger-ui-dist that the gateway serves; its package would run a script of statistics when it is installed. */
const PAGE_FILES = [
  "swagger-ui.css",
  "swagger-ui-bundle.js",
  "swagger-ui-bundle.js.LICENSE.txt",
  "favicon-32x32.png",
  "LICENSE",
  "NOTICE",
  "package.json",
];

const BIN = '#!/usr/bin/env node\nimport "../packages/cli/dist/main.js";\n';

const write = (file: string, text: string, mode = 0o644): void => {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text, { mode });
};

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Bundles the CLI: a file for what each command loads when it runs. @returns the files that it is made of */
const bundleCli = async (root: string, folder: string): Promise<readonly string[]> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: join(folder, CLI, "dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["classic-level", "litesvm", "pg-native"],
    dropLabels: ["FAULT"],
    banner: { js: REQUIRE },
    logLevel: "warning",
    metafile: true,
  });
  return Object.keys(metafile.inputs).map((file) => join(root, file));
};

/** Copies what a service's process runs. @returns the files that its bundles are made of */
const copyService = (root: string, folder: string, service: string): readonly string[] => {
  const bundle = join("services", service, "dist", "bundle");
  for (const name of readdirSync(join(root, bundle))) {
    if (/\.(?:cache|map)$/.test(name)) continue;
    cpSync(join(root, bundle, name), join(folder, bundle, name));
  }
  return bundledSources(join(root, bundle));
};

/** Copies the files that services and CLI find by the name of a package. */
const copyModules = (root: string, folder: string): void => {
  const platform = join(root, "packages", "platform");
  for (const above of ["packages", "services"]) {
    const target = join(folder, above, "node_modules", "@conclave", "platform");
    cpSync(join(platform, MIGRATIONS), join(target, MIGRATIONS), { recursive: true });
    cpSync(join(platform, "package.json"), join(target, "package.json"));
  }
  const page = join(root, "packages", "gateway", "node_modules", "swagger-ui-dist");
  for (const name of PAGE_FILES)
    cpSync(join(page, name), join(folder, "services", "node_modules", "swagger-ui-dist", name));
};

/**
 * Makes the folder that `npm pack` packs.
 * @param root of the repository, whose services are bundled
 * @param folder is emptied first
 */
export const makePackage = async (root: string, folder: string): Promise<void> => {
  rmSync(folder, { recursive: true, force: true });
  const sources = [
    ...(await bundleCli(root, folder)),
    ...SERVICES.flatMap((service) => copyService(root, folder, service)),
  ];
  copyModules(root, folder);
  for (const name of Object.keys(GUIDES))
    cpSync(join(root, "docs", `${name}.md`), join(folder, "docs", `${name}.md`));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  cpSync(join(root, "scripts", "package", "README.md"), join(folder, "README.md"));
  const manifest = packageManifest(root);
  write(join(folder, "package.json"), json(manifest));
  // the CLI reads its version there
  write(join(folder, CLI, "package.json"), json({ version: manifest.version, type: "module" }));
  write(join(folder, "bin", "conclave.js"), BIN, 0o755);
  write(join(folder, "NOTICES"), notices(sources));
};

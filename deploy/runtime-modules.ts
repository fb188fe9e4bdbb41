// Copies the packages that a bundle loads at run time, with all their dependencies, from the workspace into
// an image. No other package goes into the image.
//   tsx deploy/runtime-modules.ts FROM TO PACKAGE...
// FROM is a package of the workspace that depends on them, such as services/signer; TO gets a node_modules
// folder.

import { cpSync, existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

const manifestSchema = z.looseObject({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

const [from, to, ...wanted] = process.argv.slice(2);
if (from === undefined || to === undefined || wanted.length === 0) {
  throw new Error("usage: tsx deploy/runtime-modules.ts FROM TO PACKAGE...");
}

/**
 * The folder of a package to which Node resolves an import of `name` from `folder`; undefined where none is
 * installed, as for an optional package of another platform.
 */
const folderOf = (name: string, folder: string): string | undefined => {
  const path = join(folder, "node_modules", name);
  if (existsSync(path)) return realpathSync(path);
  return dirname(folder) === folder ? undefined : folderOf(name, dirname(folder));
};

const copied = new Map<string, string>();

const copy = (name: string, dependent: string, isOptional: boolean): void => {
  const folder = folderOf(name, dependent);
  if (folder === undefined) {
    if (isOptional) return;
    throw new Error(`${dependent} finds no package ${name}`);
  }
  const before = copied.get(name);
  if (before === folder) return;
  if (before !== undefined) throw new Error(`${name} is needed in two versions: ${before} and ${folder}`);
  copied.set(name, folder);
  cpSync(folder, join(to, "node_modules", name), {
    recursive: true,
    dereference: true,
    filter: (path) => !path.startsWith(join(folder, "node_modules")),
  });
  const { dependencies, optionalDependencies } = manifestSchema.parse(
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
  );
  for (const each of Object.keys(optionalDependencies)) copy(each, folder, true);
  for (const each of Object.keys(dependencies))
    if (!(each in optionalDependencies)) copy(each, folder, false);
};

for (const name of wanted) copy(name, realpathSync(from), false);
process.stdout.write(`${[...copied.keys()].sort().join(" ")}\n`);

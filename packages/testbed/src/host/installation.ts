import { existsSync, readFileSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A folder that is in a clone and in the packed package, as it contains the program. */
const PROGRAM = join("packages", "cli");
/** A file of clones, which the packed package does not have. */
const WORKSPACE = "pnpm-workspace.yaml";

/** The nearest folder above a file of the program, whether that runs from source, compiled, or as one bundle. */
const rootAbove = (folder: string): string => {
  if (existsSync(join(folder, PROGRAM))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error(`no folder above ${import.meta.url} has ${PROGRAM}`);
  return rootAbove(above);
};

/** Finds the root of the repository, or the folder of the packed package, which has its files at the same paths. */
export const repositoryRoot = (): string => rootAbove(dirname(fileURLToPath(import.meta.url)));

/** The version of the program, which every package of the repository has. */
export const programVersion = (): string =>
  z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(repositoryRoot(), PROGRAM, "package.json"), "utf8"))).version;

/** Whether the program runs from a clone, not from the packed package. */
export const isClone = (root: string = repositoryRoot()): boolean => existsSync(join(root, WORKSPACE));

/** The user's folder, also where HOME is empty. */
const home = (): string => (isAbsolute(homedir()) ? homedir() : userInfo().homedir);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder that has the state folder of each cluster: .conclave of a clone. The package's own folder is no place for state, because a
 * package manager replaces it; so its clusters are among the user's data, where each folder finds the same ones.
 * @source XDG Base Directory Specification 0.8: a path that is not absolute is ignored
 */
export const clustersFolder = (
  root: string = repositoryRoot(),
  environment: Environment = process.env,
): string => {
  if (isClone(root)) return join(root, ".conclave");
  const given = environment["XDG_DATA_HOME"] ?? "";
  return join(isAbsolute(given) ? given : join(home(), ".local", "share"), "conclave");
};

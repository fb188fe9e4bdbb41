import { existsSync, lstatSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { LaunchError } from "../launch-error.ts";

/** Paths from the package's folder. */
const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * Makes the links among PostgreSQL's libraries that are missing, as the package's install script would have: package managers can be set
 * to run no such scripts, and an archive of npm has no links.
 *
 * @param folder of the package; without `native/pg-symlinks.json` it has no such links
 * @throws LaunchError if the folder cannot be written
 */
export const linkLibraries = (folder: string): void => {
  const list = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = linksSchema.parse(JSON.parse(readFileSync(list, "utf8")));
  for (const { source, target } of links) {
    if (isThere(join(folder, target))) continue;
    try {
      symlinkSync(relative(dirname(target), source), join(folder, target));
    } catch (cause) {
      // another start has just made it
      if (isThere(join(folder, target))) continue;
      throw new LaunchError(
        `the libraries of PostgreSQL in ${folder} lack their links: ${cause instanceof Error ? cause.message : cause}`,
        `Let a user who may write there run: cd ${folder} && node scripts/hydrate-symlinks.js`,
      );
    }
  }
};

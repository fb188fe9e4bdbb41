import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });

/** The contents of all files in a state folder, for searching. */
export class FolderSearch {
  readonly #contents: ReadonlyMap<string, Buffer>;

  /** Reads all files below a folder into memory. */
  constructor(root: string) {
    this.#contents = new Map(filesBelow(root).map((file) => [relative(root, file), readFileSync(file)]));
  }

  /** The files that contain one of these byte strings, by their path in the folder. */
  holding(needles: readonly Buffer[]): readonly string[] {
    return [...this.#contents]
      .filter(([, content]) => needles.some((needle) => content.includes(needle)))
      .map(([file]) => file)
      .sort();
  }
}

/** The files below a folder that users other than the owner may read. */
export const readableByOthers = (folder: string): readonly string[] =>
  filesBelow(folder).filter((file) => (statSync(file).mode & 0o077) !== 0);

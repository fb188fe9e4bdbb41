import { dirname } from "node:path/posix";
import type { SourceFile } from "./source-files.ts";

/** A sentence for each file that is too long. */
export const longFiles = (files: readonly SourceFile[], mostLines: number): readonly string[] =>
  files
    .map(({ path, text }) => ({ path, lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0) }))
    .filter(({ lines }) => lines > mostLines)
    .map(
      ({ path, lines }) => `${path} has ${lines} lines, at most ${mostLines}: it holds more than one idea`,
    );

/** Folders with too many source files; tests and subfolders do not count. */
export const crowdedFolders = (files: readonly SourceFile[], mostFiles: number): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    if (!path.endsWith(".test.ts")) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > mostFiles)
    .map(([folder, count]) => `${folder} holds ${count} source files, at most ${mostFiles}: give it rooms`)
    .sort();
};

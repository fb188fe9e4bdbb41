import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { FOREIGN_KINDS } from "./every-kind.ts";
import type { ForeignKind } from "./node.ts";

/** A kind of node that is on this machine. */
export interface FoundKind {
  readonly kind: ForeignKind;
  readonly path: string;
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Where a command is on the path; undefined where it is not. */
export const onPath = (command: string): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, command))
    .find(isExecutable);

const pathOf = ({ variable, command }: ForeignKind): string | undefined => {
  const named = process.env[variable];
  if (named !== undefined && named !== "") return existsSync(named) ? named : undefined;
  return command === undefined ? undefined : onPath(command);
};

/** The sentence that stands in the table for a node that is not here. */
export const absenceOf = ({ name, variable, names }: ForeignKind): string => {
  const named = process.env[variable];
  return named === undefined || named === ""
    ? `${name}: not found; set ${variable} to ${names}`
    : `${name}: ${variable} names ${named}, which does not exist`;
};

/** The kinds that are on this machine; `CONCLAVE_FOREIGN` names those to try, where not all are to be tried. */
export const foundKinds = (): readonly FoundKind[] => {
  const only = process.env["CONCLAVE_FOREIGN"];
  return FOREIGN_KINDS.flatMap((kind): FoundKind[] => {
    if (only !== undefined && only !== "" && !only.split(",").includes(kind.name)) return [];
    // what comes with the packages has no path
    const path = kind.isBundled === true ? "" : pathOf(kind);
    return path === undefined ? [] : [{ kind, path }];
  });
};

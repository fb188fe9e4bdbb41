import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { FOREIGN_KINDS } from "./every-kind.ts";
import type { ForeignKind } from "./node.ts";

/** A kind of node installed on this machine. */
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

/** The path of a command; undefined if it is not installed. */
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

/** The table's sentence for a missing node. */
export const absenceOf = ({ name, variable, names }: ForeignKind): string => {
  const named = process.env[variable];
  return named === undefined || named === ""
    ? `${name}: not found; set ${variable} to ${names}`
    : `${name}: ${variable} names ${named}, which does not exist`;
};

/** The kinds to test: all, or those named in `CONCLAVE_FOREIGN`. */
export const chosenKinds = (): readonly ForeignKind[] => {
  const only = process.env["CONCLAVE_FOREIGN"];
  return only === undefined || only === ""
    ? FOREIGN_KINDS
    : FOREIGN_KINDS.filter(({ name }) => only.split(",").includes(name));
};

/** The chosen kinds that are installed. */
export const foundKinds = (): readonly FoundKind[] =>
  chosenKinds().flatMap((kind): FoundKind[] => {
    // a node from the packages needs no path
    const path = kind.isBundled === true ? "" : pathOf(kind);
    return path === undefined ? [] : [{ kind, path }];
  });

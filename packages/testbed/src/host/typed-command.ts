import { basename, dirname, resolve } from "node:path";
import { clustersFolder, isClone } from "./installation.ts";

const FIRST_CLUSTER = "local";

type Settings = Readonly<Record<string, string>>;

/** Settings of the Makefile that are arguments of the program by their place. */
const ARGUMENTS: ReadonlySet<string> = new Set(["ADDRESS", "PROCESS", "SIGNER", "SNAPSHOT"]);
/** Settings of the Makefile that switch something on. */
const SWITCHES: ReadonlySet<string> = new Set(["YES"]);

const asArgument = ([name, value]: readonly [string, string]): string => {
  if (ARGUMENTS.has(name)) return value;
  const option = `--${name.toLowerCase()}`;
  return SWITCHES.has(name) ? option : `${option} ${value}`;
};

/** How a person calls the program: by the Makefile of a clone, or by its name, from PATH or through npx. */
type Typing = "make" | "conclave" | "npx conclave";

const callerHere = (): Typing => {
  if (isClone()) return "make";
  return process.env["npm_command"] === "exec" ? "npx conclave" : "conclave";
};

/**
 * A command about a cluster, as a person types it where this program is installed.
 * @param target of the Makefile; the program's command has the same name
 * @param cluster its name; the first one unless given
 */
export const typedCommand = (
  target: string,
  cluster: string = FIRST_CLUSTER,
  settings: Settings = {},
  caller: Typing = callerHere(),
): string => {
  const named = Object.entries(cluster === FIRST_CLUSTER ? settings : { ...settings, NAME: cluster });
  const words = caller === "make" ? named.map(([name, value]) => `${name}=${value}`) : named.map(asArgument);
  return [caller, target, ...words].join(" ");
};

/**
 * A command about the cluster of a state folder that only a cluster's name is given to, such as `up` and `down`.
 * @returns undefined for a folder that is no named cluster's
 */
export const typedByName = (
  target: string,
  state: string,
  settings: Settings = {},
  caller: Typing = callerHere(),
): string | undefined => {
  const folder = resolve(state);
  return dirname(folder) === clustersFolder()
    ? typedCommand(target, basename(folder), settings, caller)
    : undefined;
};

/** A command about the cluster of a state folder, which is named by `--state` unless it is a named cluster's. */
export const typedAbout = (
  target: string,
  state: string,
  settings: Settings = {},
  caller: Typing = callerHere(),
): string => {
  const folder = resolve(state);
  const words = [...Object.entries(settings).map(asArgument), `--state ${asWord(folder)}`];
  // the Makefile takes names alone
  const program = caller === "make" ? "conclave" : caller;
  return typedByName(target, folder, settings, caller) ?? [program, target, ...words].join(" ");
};

/** A text as one word of a POSIX shell. */
const asWord = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

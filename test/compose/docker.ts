import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "@conclave/testbed/launch";
import { z } from "zod";
import { PROFILES } from "./profiles.ts";

const run = promisify(execFile);
/** A project of its own, with its own volumes and networks, next to a cluster that runs from the same files. */
const PROJECT = "conclave-compose-test";
const OUTPUT_MAX = 64 * 1024 * 1024;

/** The output of a failed command. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
}

const said = (error: unknown): string => {
  const stderr: unknown = Object(error).stderr;
  const text = typeof stderr === "string" && stderr.trim() !== "" ? stderr : String(error);
  return text.trim().split("\n").slice(-3).join("; ");
};

type Settings = Readonly<Record<string, string>>;

const command = async (settings: Settings, file: string, words: readonly string[]): Promise<string> => {
  try {
    const env = { ...process.env, COMPOSE_PROFILES: PROFILES.join(","), ...settings };
    const { stdout } = await run(file, [...words], { cwd: repositoryRoot(), maxBuffer: OUTPUT_MAX, env });
    return stdout;
  } catch (error) {
    throw new CommandFailed(said(error));
  }
};

const docker = (...words: readonly string[]): Promise<string> => command({}, "docker", words);

/** Runs `docker compose` on this test's cluster, with settings of its own. @returns its output @throws CommandFailed */
export const composeWith = (settings: Settings, ...words: readonly string[]): Promise<string> =>
  command(settings, "docker", ["compose", "--project-name", PROJECT, ...words]);

/** Runs `docker compose` on this test's cluster. @returns its output @throws CommandFailed */
export const compose = (...words: readonly string[]): Promise<string> => composeWith({}, ...words);

/** Runs `docker compose run` with its output into a file, or its input from one. */
export const runTool = (words: string, redirection: "<" | ">", file: string): Promise<string> =>
  command({}, "sh", [
    "-c",
    `docker compose --project-name ${PROJECT} run --rm -T ${words} ${redirection} "$1"`,
    "sh",
    file,
  ]);

export const removeVolume = (name: string): Promise<string> => docker("volume", "rm", `${PROJECT}_${name}`);

/** One line in Docker's format for each container of the cluster, sorted by name. */
export const ofEach = async (format: string): Promise<readonly string[]> => {
  const ids = (await compose("ps", "--quiet")).trim().split("\n");
  return (await docker("inspect", "--format", format, ...ids)).trim().split("\n").sort();
};

/** The current memory of each container, in percent of its limit. */
export const memoryShares = async (): Promise<ReadonlyMap<string, number>> => {
  const ids = (await compose("ps", "--quiet")).trim().split("\n");
  const lines = await docker("stats", "--no-stream", "--format", "{{.Name}} {{.MemPerc}}", ...ids);
  const rows = lines
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  return new Map(
    rows.map(([name = "", share = ""]) => [
      name.replace(`${PROJECT}-`, "").replace(/-1$/, ""),
      Number.parseFloat(share),
    ]),
  );
};

export interface HealthCheck {
  /** of the container */
  readonly id: string;
  readonly words: readonly string[];
  readonly everyMs: number;
}

const NS_PER_MS = 1_000_000;
/** How long deploy/health.sh sleeps before it checks a healthy container again, in milliseconds. */
const sleepMs = (): number => {
  const [, seconds] =
    /^ *sleep (\d+)$/m.exec(readFileSync(join(repositoryRoot(), "deploy", "health.sh"), "utf8")) ?? [];
  if (seconds === undefined) throw new Error("deploy/health.sh does not say for how long it sleeps");
  return Number(seconds) * 1_000;
};

const healthcheckSchema = z.object({ Test: z.array(z.string()), Interval: z.number() });

/** The health check of each container of the cluster, and its interval. */
export const healthChecks = async (): Promise<readonly HealthCheck[]> => {
  const lines = await ofEach("{{.Id}} {{json .Config.Healthcheck}}");
  return lines.map((line) => {
    const at = line.indexOf(" ");
    const { Test, Interval } = healthcheckSchema.parse(JSON.parse(line.slice(at)));
    const [kind, waits, ...words] = Test;
    if (kind !== "CMD" || waits !== "health") throw new Error(`a health check without \`health\`: ${line}`);
    // `health` is a shell script, so this runs a shell too
    return {
      id: line.slice(0, at),
      everyMs: Interval / NS_PER_MS + sleepMs(),
      words: ["sh", "-c", '"$@"', "health", ...words],
    };
  });
};

/** Runs a container's health check. */
export const check = ({ id, words }: HealthCheck): Promise<string> => docker("exec", id, ...words);

/** Whether a shell command succeeds in a service's container. */
export const succeeds = (service: string, words: string): Promise<boolean> =>
  compose("exec", "-T", service, "sh", "-c", words).then(
    () => true,
    () => false,
  );

/** The output of a shell command in a service's container. */
export const printed = async (service: string, words: string): Promise<string> =>
  (await compose("exec", "-T", service, "sh", "-c", words)).trim();

/** Disconnects a service's container from a network, or connects it again under its name. */
export const link = (action: "connect" | "disconnect", network: string, service: string): Promise<string> =>
  docker(
    "network",
    action,
    ...(action === "connect" ? ["--alias", service] : []),
    `${PROJECT}_${network}`,
    `${PROJECT}-${service}-1`,
  );

/** Size of an image in bytes. */
export const imageBytes = async (image: string): Promise<number> =>
  Number(await docker("image", "inspect", image, "--format", "{{.Size}}"));

/** Why no container engine is available; undefined if one is. */
export const whyNoEngine = async (): Promise<string | undefined> => {
  try {
    await docker("info", "--format", "{{.ServerVersion}}");
    await docker("compose", "version", "--short");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

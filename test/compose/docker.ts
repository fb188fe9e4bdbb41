import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { repositoryRoot } from "@conclave/testbed/launch";

const run = promisify(execFile);
/** Beside a cluster that somebody runs by the files as they stand: volumes and networks of its own. */
const PROJECT = "conclave-compose-test";
const OUTPUT_MAX = 64 * 1024 * 1024;

/** What a command that failed said. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
}

const said = (error: unknown): string => {
  const stderr: unknown = Object(error).stderr;
  const text = typeof stderr === "string" && stderr.trim() !== "" ? stderr : String(error);
  return text.trim().split("\n").slice(-3).join("; ");
};

const docker = async (...words: readonly string[]): Promise<string> => {
  try {
    const { stdout } = await run("docker", [...words], { cwd: repositoryRoot(), maxBuffer: OUTPUT_MAX });
    return stdout;
  } catch (error) {
    throw new CommandFailed(said(error));
  }
};

/** `docker compose` on the cluster of this test. @returns what it prints @throws CommandFailed */
export const compose = (...words: readonly string[]): Promise<string> =>
  docker("compose", "--project-name", PROJECT, ...words);

/** Whether a shell's words succeed in a service's container. */
export const succeeds = (service: string, words: string): Promise<boolean> =>
  compose("exec", "-T", service, "sh", "-c", words).then(
    () => true,
    () => false,
  );

/** What a shell's words print in a service's container. */
export const printed = async (service: string, words: string): Promise<string> =>
  (await compose("exec", "-T", service, "sh", "-c", words)).trim();

/** Takes a service's container off a network, or puts it back under its name. */
export const link = (action: "connect" | "disconnect", network: string, service: string): Promise<string> =>
  docker(
    "network",
    action,
    ...(action === "connect" ? ["--alias", service] : []),
    `${PROJECT}_${network}`,
    `${PROJECT}-${service}-1`,
  );

/** Bytes of an image. */
export const imageBytes = async (image: string): Promise<number> =>
  Number(await docker("image", "inspect", image, "--format", "{{.Size}}"));

/** Why there is nothing to run containers with; undefined when there is. */
export const whyNoEngine = async (): Promise<string | undefined> => {
  try {
    await docker("info", "--format", "{{.ServerVersion}}");
    await docker("compose", "version", "--short");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "@conclave/testbed";

const run = promisify(execFile);

export const PYTHON_FOLDER = "test/compat/python";
const OLDEST = [3, 10] as const;
const NEEDED = `The vendor's Python client needs Python ${OLDEST.join(".")} or later with pip, as python3 on the PATH (apt-get install python3 python3-pip).`;

/** @returns such as 3.11; @throws with a sentence if Python is missing or too old */
const pythonVersion = async (): Promise<string> => {
  const program = "import sys, pip; print('%d.%d' % sys.version_info[:2])";
  const { stdout } = await run("python3", ["-c", program]).catch((cause: unknown) => {
    throw new Error(`${NEEDED} There is none: ${sentence(cause)}`);
  });
  const version = stdout.trim();
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major === OLDEST[0] && minor >= OLDEST[1]) return version;
  throw new Error(`${NEEDED} This one is ${version}.`);
};

/** The last line of a program's output, or why it did not start. */
const sentence = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).trim().split("\n").at(-1) ?? "";

/**
 * Installs the vendor's Python client and its pinned dependencies into a folder of this checkout, unless they are there.
 * @returns the folder, for PYTHONPATH
 * @throws with a sentence if Python or the registry is missing
 */
export const installPythonClient = async (): Promise<string> => {
  const requirements = join(repositoryRoot(), PYTHON_FOLDER, "requirements.txt");
  const version = await pythonVersion();
  const pinned = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
  const tools = join(repositoryRoot(), ".conclave/tools");
  const folder = join(tools, `python-client-${version}-${pinned}`);
  if (existsSync(folder)) return folder;
  mkdirSync(tools, { recursive: true });
  const fresh = mkdtempSync(join(tools, "python-client-"));
  const quietly = ["--quiet", "--disable-pip-version-check", "--root-user-action", "ignore"];
  const into = ["--no-compile", "--only-binary", ":all:", "--no-deps", "--target", fresh];
  await run("python3", ["-m", "pip", "install", ...quietly, ...into, "-r", requirements]).catch(
    (cause: unknown) => {
      rmSync(fresh, { recursive: true });
      throw new Error(
        `pip cannot install the vendor's Python client (is the registry reachable?): ${sentence(cause)}`,
      );
    },
  );
  // renamed as a whole; another run may have installed it first
  if (existsSync(folder)) rmSync(fresh, { recursive: true });
  else renameSync(fresh, folder);
  return folder;
};

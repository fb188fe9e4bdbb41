import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "@conclave/testbed";
import { z } from "zod";
import type { Premises } from "../further-family/cluster.ts";

const failureSchema = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

/** The result of an operator's command. */
export interface Said {
  readonly code: number;
  readonly out: string;
}

/** `conclave`, as a process of its own that finds the records of these premises. */
export const conclave = async (
  { databaseUrl }: Pick<Premises, "databaseUrl">,
  ...words: readonly string[]
): Promise<Said> => {
  const main = join(repositoryRoot(), "packages/cli/dist/main.js");
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], { env });
    return { code: 0, out: stdout };
  } catch (cause) {
    const { code, stdout, stderr } = failureSchema.parse(cause);
    return { code, out: stdout + stderr };
  }
};

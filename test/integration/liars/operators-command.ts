import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "@conclave/testbed";
import { z } from "zod";
import { PATIENCE_MS } from "../patience.ts";

const failureSchema = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

/** The result of an operator's command. */
export interface Said {
  readonly code: number;
  readonly out: string;
}

/** Runs `conclave` as its own process. @param databaseUrl if `conclave up` has left no database URL in the state folder */
export const conclave = async (
  { databaseUrl }: { readonly databaseUrl?: string },
  ...words: readonly string[]
): Promise<Said> => {
  const main = join(repositoryRoot(), "packages/cli/dist/main.js");
  const env = { ...process.env, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) };
  try {
    const options = { env, timeout: PATIENCE_MS };
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], options);
    return { code: 0, out: stdout };
  } catch (cause) {
    const { code, stdout, stderr } = failureSchema.parse(cause);
    return { code, out: stdout + stderr };
  }
};

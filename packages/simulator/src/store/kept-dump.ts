import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { dumpOf } from "@conclave/platform/testing";
import { z } from "zod";

type Dump = Awaited<ReturnType<typeof dumpOf>>;

const dumpSchema: z.ZodType<Dump> = z.object({
  definitions: z.array(z.string()),
  rows: z.array(z.object({ text: z.string(), json: z.string() })),
});

export interface KeptDumpOptions {
  /** where dumps are kept */
  readonly folder: string;
  /** files that decide what a dump holds: where one has changed, the dump is made anew */
  readonly sources: readonly string[];
  /** makes the dump, in seconds */
  readonly make: () => Promise<Dump>;
}

/** The dump that an earlier process made of the same sources and kept; made and kept now where there is none, or it cannot be read. */
export const keptDump = async ({ folder, sources, make }: KeptDumpOptions): Promise<Dump> => {
  const file = join(folder, `${await digestOf(sources)}.json`);
  const kept = await readDump(file);
  if (kept !== undefined) return kept;
  const made = await make();
  await keep(file, made);
  return made;
};

const digestOf = async (sources: readonly string[]): Promise<string> => {
  const digest = createHash("sha256");
  for (const source of sources) digest.update(`${source}\n`).update(await readFile(source));
  return digest.digest("hex");
};

const readDump = async (file: string): Promise<Dump | undefined> => {
  try {
    const parsed = dumpSchema.safeParse(JSON.parse(await readFile(file, "utf8")));
    return parsed.data;
  } catch {
    return undefined;
  }
};

/** Another process may keep the same dump at the same time. A folder that nobody may write keeps none, and each process makes its own. */
const keep = async (file: string, dump: Dump): Promise<void> => {
  const half = `${file}.${randomUUID()}`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(half, JSON.stringify(dump));
    await rename(half, file);
  } catch {
    return;
  }
};

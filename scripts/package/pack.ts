import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";

const packedSchema = z
  .array(
    z.looseObject({
      filename: z.string(),
      size: z.number(),
      unpackedSize: z.number(),
      files: z.array(z.looseObject({ path: z.string() })),
    }),
  )
  .length(1)
  .transform(([packed]) => packed);

/** Megabytes of names of files, and more. */
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024;

/** Packs a folder as npm publishes it. @param target the folder of the packed file @returns its name, sizes in bytes, and files */
export const pack = async (folder: string, target: string) => {
  const { stdout } = await promisify(execFile)(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", target],
    { cwd: folder, maxBuffer: OUTPUT_MAX_BYTES },
  );
  const packed = packedSchema.parse(JSON.parse(stdout));
  if (packed === undefined) throw new Error("npm packed nothing");
  return packed;
};

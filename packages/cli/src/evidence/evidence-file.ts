import { writeFile } from "node:fs/promises";
import { decode, EVIDENCE_BYTES_MAX, type Evidence, evidenceCodec } from "@conclave/threshold";
import { z } from "zod";
import { readBounded } from "../bounded-file.ts";

/**
 * A file with the evidence of one fault. It is JSON, so that mail and tickets pass it on unchanged and a reader sees its
 * purpose. Only the evidence bytes count, which are those of the record; the other members say how to read them.
 */
const fileSchema = z.strictObject({
  kind: z.literal("conclave-evidence"),
  version: z.literal(1),
  /** the cluster whose roster verifies the evidence */
  clusterId: z.string().regex(/^[a-z0-9-]{1,64}$/),
  /** evidenceCodec, in base64 */
  evidence: z.base64().min(1),
});

const versionSchema = z.looseObject({ kind: z.literal("conclave-evidence"), version: z.int() });

/** In bytes: the longest evidence in base64, and the JSON around it. */
const FILE_BYTES_MAX: number = Math.ceil((EVIDENCE_BYTES_MAX * 4) / 3) + 4_096;

/** The content of a file, or the reason why it cannot be read, with a remedy. */
export type ReadEvidence =
  | {
      readonly kind: "evidence";
      readonly clusterId: string;
      readonly evidence: Evidence;
      /** encoded by evidenceCodec */
      readonly bytes: Uint8Array;
    }
  | { readonly kind: "unreadable"; readonly why: string; readonly remedy: string };

const EXPORT_AGAIN = "Hand in a file as `conclave faults export` wrote it.";

const unreadable = (why: string, remedy = EXPORT_AGAIN): ReadEvidence => ({
  kind: "unreadable",
  why,
  remedy,
});

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Parses an evidence file. The content stays untrusted: `verifyFault` decides what it proves. */
export const parseEvidence = (text: string): ReadEvidence => {
  const json = parseJson(text);
  const parsed = fileSchema.safeParse(json);
  if (!parsed.success) {
    const other = versionSchema.safeParse(json);
    return other.success && other.data.version !== 1
      ? unreadable(
          `it is of version ${other.data.version}, and this program reads version 1`,
          "Use the conclave of the version that wrote it.",
        )
      : unreadable("it is no evidence file of Conclave");
  }
  const { clusterId } = parsed.data;
  const bytes = new Uint8Array(Buffer.from(parsed.data.evidence, "base64"));
  if (bytes.length > EVIDENCE_BYTES_MAX) {
    return unreadable(
      `its evidence has ${bytes.length} bytes, and evidence has at most ${EVIDENCE_BYTES_MAX}`,
    );
  }
  const decoded = decode(evidenceCodec, bytes);
  return decoded.ok
    ? { kind: "evidence", clusterId, evidence: decoded.value, bytes }
    : unreadable("its evidence is damaged, or of a version that this program does not know");
};

/** Reads an evidence file. */
export const readEvidence = async (path: string): Promise<ReadEvidence> => {
  const read = await readBounded(path, FILE_BYTES_MAX, "an evidence file has");
  return read.kind === "text" ? parseEvidence(read.text) : unreadable(read.why);
};

/** Writes an evidence file. Rejects if the file exists. */
export const writeEvidence = async (
  path: string,
  { clusterId, proof }: { readonly clusterId: string; readonly proof: Uint8Array },
): Promise<void> => {
  const evidence = Buffer.from(proof).toString("base64");
  const file: z.infer<typeof fileSchema> = { kind: "conclave-evidence", version: 1, clusterId, evidence };
  await writeFile(path, `${JSON.stringify(file, undefined, 2)}\n`, { flag: "wx" });
};

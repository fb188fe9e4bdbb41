import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

const fileSchema = z.looseObject({ clusterId: z.string(), evidence: z.string() });

interface EvidenceFile {
  readonly clusterId: string;
  readonly evidence: Uint8Array;
}

/** Reads an evidence file from disk. */
export const evidenceIn = (path: string): EvidenceFile => {
  const { clusterId, evidence } = fileSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  return { clusterId, evidence: Uint8Array.from(Buffer.from(evidence, "base64")) };
};

/** Writes a copy of an evidence file with some fields replaced. */
export const copyEvidence = (from: string, to: string, other: Partial<EvidenceFile>): void => {
  const { evidence, ...rest } = other;
  const changed =
    evidence === undefined ? rest : { ...rest, evidence: Buffer.from(evidence).toString("base64") };
  const before = fileSchema.parse(JSON.parse(readFileSync(from, "utf8")));
  writeFileSync(to, JSON.stringify({ ...before, ...changed }));
};

/** The same bytes, with the middle one changed. */
export const withOtherByte = (bytes: Uint8Array): Uint8Array => {
  const at = bytes.length >> 1; // any byte would do: verify-evidence.test.ts
  return bytes.with(at, (bytes[at] ?? 0) ^ 1);
};

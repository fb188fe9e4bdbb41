import { KEY_SCHEMES, keyIdSchema, MOST_CLUSTER_SIGNERS, STATEMENT_BYTES_MAX } from "@conclave/custody";
import { z } from "zod";
import { readBounded } from "../bounded-file.ts";

/** In bytes: a statement and two signatures of each signer, and the JSON around them. */
const FILE_BYTES_MAX: number = MOST_CLUSTER_SIGNERS * (2 * STATEMENT_BYTES_MAX + 512) + 4_096;

const signature = z.string().regex(/^[0-9a-f]{128}$/);
const fileSchema = z.strictObject({
  kind: z.literal("conclave-key-attestations"),
  version: z.literal(1),
  clusterId: z.string().max(64),
  keyId: keyIdSchema,
  scheme: z.enum(KEY_SCHEMES),
  publicKey: z.string().regex(/^([0-9a-f]{2}){32,33}$/),
  internalKey: z
    .string()
    .regex(/^([0-9a-f]{2}){33}$/)
    .optional(),
  attestations: z
    .array(
      z.strictObject({
        signer: z.int(),
        signature,
        statement: z.string().max(STATEMENT_BYTES_MAX).optional(),
        statementSignature: signature.optional(),
      }),
    )
    .max(MOST_CLUSTER_SIGNERS),
});

/** The content of a file, which stays untrusted, or why the file holds no attestations. */
export type ReadAttestations =
  | { readonly kind: "attestations"; readonly file: z.output<typeof fileSchema> }
  | { readonly kind: "unreadable"; readonly why: string };

const unreadable = (why: string): ReadAttestations => ({ kind: "unreadable", why });

/** Reads the text of a file as `GET /keys/{keyId}/attestations` answers it (KeyAttestationsView of custody). */
const parseAttestations = (text: string): ReadAttestations => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return unreadable("it is no JSON");
  }
  const parsed = fileSchema.safeParse(json);
  if (!parsed.success)
    return unreadable(
      "it holds no attestations of a key, or those of a version that this program does not know",
    );
  return { kind: "attestations", file: parsed.data };
};

/** Reads a file of attestations. */
export const readAttestations = async (path: string): Promise<ReadAttestations> => {
  const read = await readBounded(path, FILE_BYTES_MAX, "attestations have");
  return read.kind === "text" ? parseAttestations(read.text) : unreadable(read.why);
};

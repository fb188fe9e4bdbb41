import { open } from "node:fs/promises";
import { KEY_SCHEMES, keyIdSchema, STATEMENT_BYTES_MAX } from "@conclave/custody";
import { z } from "zod";

const SIGNERS_MAX = 64;
/** In bytes: of 64 signers, a statement and two signatures each, and what stands around them. */
const FILE_BYTES_MAX: number = SIGNERS_MAX * (2 * STATEMENT_BYTES_MAX + 512) + 4_096;

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
    .max(SIGNERS_MAX),
});

/** What a file holds, or why it holds no attestations. Nothing of it is believed. */
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

/** Reads a file; it is opened once, and its size is looked at before its content. */
export const readAttestations = async (path: string): Promise<ReadAttestations> => {
  try {
    await using file = await open(path, "r");
    const stat = await file.stat();
    if (!stat.isFile()) return unreadable("it is no file");
    if (stat.size > FILE_BYTES_MAX) {
      return unreadable(`it has ${stat.size} bytes, and attestations have at most ${FILE_BYTES_MAX}`);
    }
    return parseAttestations(await file.readFile("utf8"));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "no reason given";
    return unreadable(`it cannot be read (${code})`);
  }
};

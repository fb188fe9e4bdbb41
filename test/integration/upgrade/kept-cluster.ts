// Reads cluster-0.1/: the state that a cluster of version 0.1 (commit 5bfa3f4) left; see its README.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";

/** The files of the cluster's folder, by path. */
const filesSchema = z.record(z.string(), z.object({ mode: z.string(), base64: z.base64() }));
/** One table: each value in PostgreSQL's text form, or null. */
const tableSchema = z.object({
  table: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  /** of the auto-incremented column; absent if the table has none */
  sequence: z.object({ column: z.string(), last: z.string(), isCalled: z.boolean() }).optional(),
  rows: z.array(z.array(z.string().nullable())),
});
export type Table = z.infer<typeof tableSchema>;
const databaseSchema = z.object({ tables: z.array(tableSchema) });

const address = z.templateLiteral(["0x", z.string()]);
const walletSchema = z.object({ id: z.string(), address: address.optional(), publicKey: z.string() });
const requestSchema = z.object({ id: z.string(), walletId: z.string(), status: z.string() });
const moneySchema = requestSchema.extend({ to: address, amount: z.string(), nonce: z.int().optional() });
const builtSchema = moneySchema.extend({ unsignedTransaction: address });
const signatureSchema = requestSchema.extend({ body: z.record(z.string(), z.unknown()) });
const eventSchema = z.object({ kind: z.string(), entity: z.string() });
const webhookSchema = z.object({ id: z.string(), secret: z.string(), waiting: z.array(eventSchema) });
/** cluster-0.1/manifest.json: the named contents of the cluster. */
export const manifestSchema = z.object({
  dateSaved: z.iso.datetime(),
  clusterId: z.string(),
  shape: z.object({ signers: z.int(), threshold: z.int(), parameters: z.literal("INSECURE-TEST") }),
  orgId: z.string(),
  approvers: z.array(z.object({ username: z.string(), userId: z.string() })),
  wallets: z.object({
    treasury: walletSchema,
    stuck: walletSchema,
    guarded: walletSchema,
    tokens: walletSchema,
    caller: walletSchema,
    edwards: walletSchema,
  }),
  requests: z.object({
    confirmed: moneySchema,
    built: builtSchema,
    builtToken: builtSchema.extend({ contract: address }),
    builtCall: builtSchema,
    behind: moneySchema,
    queued: moneySchema,
    broadcasted: moneySchema,
    speedUp: requestSchema.extend({ unsignedTransaction: address }),
    failed: moneySchema,
    rejected: moneySchema,
    undecided: moneySchema.extend({ approvalId: z.string() }),
    halfDecided: moneySchema.extend({ approvalId: z.string() }),
    signed: signatureSchema,
    undecidedSignature: signatureSchema.extend({ approvalId: z.string() }),
    typedData: signatureSchema,
    message: signatureSchema,
    hash: signatureSchema,
    unsent: signatureSchema,
    edwardsMessage: signatureSchema,
    creating: z.object({ walletId: z.string() }),
    change: z.object({ policyId: z.string(), approvalId: z.string(), name: z.string() }),
  }),
  webhooks: z.object({ all: webhookSchema, failing: webhookSchema }),
  presignatures: z.array(z.object({ id: z.string(), keyId: z.string(), signers: z.array(z.int()) })),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** The cluster as version 0.1 left it. */
export interface Fixture {
  readonly manifest: Manifest;
  readonly files: z.infer<typeof filesSchema>;
  readonly tables: readonly Table[];
  /** anvil's own dump, for its option --state */
  readonly chain: Buffer;
}

export const readFixture = (folder: string): Fixture => {
  const unzipped = (name: string): Buffer => gunzipSync(readFileSync(join(folder, name)));
  const json = (name: string): unknown => JSON.parse(unzipped(name).toString("utf8"));
  return {
    manifest: manifestSchema.parse(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))),
    files: filesSchema.parse(json("files.json.gz")),
    tables: databaseSchema.parse(json("database.json.gz")).tables,
    chain: unzipped("chain-state.json.gz"),
  };
};

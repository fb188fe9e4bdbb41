import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { repositoryRoot } from "@conclave/testbed";
import { z } from "zod";
import type { CrateCommitment, CratePresignature, CrateShare, cratePoint } from "./crate-form.ts";

const MANIFEST = fileURLToPath(new URL("cggmp24/Cargo.toml", import.meta.url));
const NAME = "conclave-crosscheck";
const NEEDED = "the crate cggmp24 needs cargo of Rust 1.88 or later on the PATH (https://rustup.rs)";
const NOT_BUILT =
  "cargo cannot build the crate cggmp24, see its lines above; it needs the registry, a C compiler, make and m4";

/** The shares of a quorum's signers, with the signers' indices among the holders. */
interface CrateQuorum {
  readonly shares: readonly CrateShare[];
  readonly signers: readonly number[];
}

/** A task for the crate. Messages are hex; the crate hashes them with SHA-256. */
export type CrateTask =
  | { readonly do: "accept"; readonly share: CrateShare }
  | {
      readonly do: "issue";
      readonly presignatures: readonly CratePresignature[];
      readonly commitments: readonly CrateCommitment[];
      readonly message: string;
      readonly publicKey: ReturnType<typeof cratePoint>;
    }
  | { readonly do: "presign" | "sign"; readonly quorum: CrateQuorum; readonly message: string };

const pointSchema = z.object({ point: z.string() });
const scalarSchema = z.object({ scalar: z.string() });
const presignatureSchema = z.object({ Gamma: pointSchema, tilde_k: scalarSchema, tilde_chi: scalarSchema });
const commitmentSchema = z.object({ k: pointSchema, chi: pointSchema });
const partialsSchema = z.array(z.object({ sigma: scalarSchema }));
const signatureSchema = z.object({ r: scalarSchema, s: scalarSchema });
const issued = { partials: partialsSchema, signature: signatureSchema.nullable() };

const answerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("accepted"), threshold: z.int(), parties: z.int(), publicKey: pointSchema }),
  z.object({ kind: z.literal("issued"), ...issued }),
  z.object({
    kind: z.literal("presigned"),
    ...issued,
    presignatures: z.array(presignatureSchema),
    commitments: z.array(commitmentSchema),
  }),
  z.object({ kind: z.literal("signed"), signature: signatureSchema }),
  z.object({ kind: z.enum(["unreadable", "refused", "failed"]), reason: z.string() }),
]);
export type CrateAnswer = z.infer<typeof answerSchema>;
export type CrateSignature = z.infer<typeof signatureSchema>;

const lineSchema = z.object({ answer: answerSchema, ms: z.int() });
const numbersSchema = z.object({
  primeBits: z.int(),
  modulusBitsMin: z.int(),
  ell: z.int(),
  epsilon: z.int(),
  ellPrime: z.int(),
  iterations: z.int(),
});
export type CrateNumbers = z.infer<typeof numbersSchema>;

/** The crate's parameters of a level, and its answers in the order of the tasks. */
export interface CrateReply {
  readonly numbers: CrateNumbers;
  readonly answers: readonly z.infer<typeof lineSchema>[];
}

/** Runs a program to its end. @returns its exit code and output; @throws if it cannot be started */
const run = async (command: string, args: readonly string[]): Promise<{ code: unknown; said: string }> => {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  const chunks: Uint8Array[] = [];
  child.stdout.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  const [code] = await closed;
  return { code, said: Buffer.concat(chunks).toString() };
};

/**
 * Compiles the program unless that is done already. @returns its path; @throws with a sentence if cargo or the registry is
 * missing
 */
export const buildCrateProgram = async (): Promise<string> => {
  const target = join(repositoryRoot(), ".conclave/tools/crosscheck");
  mkdirSync(target, { recursive: true });
  const args = ["build", "--release", "--locked", "--manifest-path", MANIFEST, "--target-dir", target];
  const { code } = await run("cargo", args).catch((cause: unknown) => {
    throw new Error(NEEDED, { cause });
  });
  if (code !== 0) throw new Error(NOT_BUILT);
  return join(target, "release", NAME);
};

/**
 * Runs tasks in the crate at a level. The tasks' file holds key shares made for this run, and is deleted once the crate has
 * ended.
 *
 * @throws when the crate's program ends before it has answered all tasks
 */
export const askCrate = async (
  program: string,
  level: string,
  tasks: readonly CrateTask[],
): Promise<CrateReply> => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-crosscheck-"));
  try {
    const file = join(folder, "tasks.json");
    writeFileSync(file, JSON.stringify({ level, tasks }), { mode: 0o600 });
    const { code, said } = await run(program, [file]);
    const [first, ...rest] = said.split("\n").filter((line) => line !== "");
    if (code !== 0 || first === undefined || rest.length !== tasks.length)
      throw new Error(`the crate answered ${rest.length} of ${tasks.length} tasks`);
    return {
      numbers: numbersSchema.parse(JSON.parse(first)),
      answers: rest.map((line) => lineSchema.parse(JSON.parse(line))),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

// How an example ends that meets an error: a sentence, its remedy, and a file with the trace.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { z } from "zod";

/** An error of the API, as the vendor's client throws it: the gateway says what is wrong, and what mends it. */
const refusedSchema = z.object({
  context: z.object({
    body: z.object({
      error: z.object({ message: z.string(), details: z.looseObject({ remedy: z.string() }) }),
    }),
  }),
});
const unreachedSchema = z.union([
  z.object({ code: z.literal("ECONNREFUSED") }),
  z.object({ cause: z.object({ code: z.literal("ECONNREFUSED") }) }),
]);

/** A mistake in the settings of the shell. */
export class WrongSetting extends Error {}

const sayOf = (error: unknown): readonly [sentence: string, remedy: string] => {
  const refused = refusedSchema.safeParse(error);
  if (refused.success) {
    const { message, details } = refused.data.context.body.error;
    return [message, details.remedy];
  }
  if (error instanceof WrongSetting) return [error.message, 'Run: eval "$(make -s env)"'];
  if (unreachedSchema.safeParse(error).success) {
    const url = process.env["CONCLAVE_API"];
    return [
      `the cluster at ${url} does not answer`,
      "make status shows what runs; make up DETACH=1 starts it.",
    ];
  }
  const [first = ""] = String(error instanceof Error ? error.message : error).split("\n");
  // the vendor's client reads a token before it sends it
  if (first.includes("auth token")) return [first, 'CONCLAVE_TOKEN is no token. Run: eval "$(make -s env)"'];
  return [first, "make status shows whether the cluster runs; make down and make up DETACH=1 start it anew."];
};

process.on("uncaughtException", (error: unknown) => {
  const [sentence, remedy] = sayOf(error);
  const file = join(mkdtempSync(join(tmpdir(), "conclave-example-")), "trace");
  writeFileSync(file, `${error instanceof Error ? error.stack : inspect(error)}\n`);
  console.error(`${sentence}\n${remedy} (the trace: ${file})`);
  process.exit(1);
});

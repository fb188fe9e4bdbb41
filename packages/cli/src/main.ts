import { makeProgram } from "./program.ts";

// whoever reads has enough, as `head` does: that is no error
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const program = makeProgram((code) => {
  process.exitCode = code;
});

try {
  await program.parseAsync();
} catch (cause) {
  const { launchErrorOf } = await import("./launch-error-of.ts");
  const { message, remedy } = await launchErrorOf(cause);
  process.stderr.write(`\nconclave: ${message}\n${remedy}\n`);
  process.exitCode = 1;
}

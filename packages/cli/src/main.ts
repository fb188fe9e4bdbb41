import { LaunchError } from "@conclave/testbed/launch";
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
  if (!(cause instanceof LaunchError)) throw cause;
  process.stderr.write(`\nconclave: ${cause.message}\n${cause.remedy}\n`);
  process.exitCode = 1;
}

import { makeProgram } from "./program.ts";

// a reader that closes the pipe, as `head` does, is not an error
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
  const { message, remedy, code } = await launchErrorOf(cause);
  const named = code === undefined ? "" : ` (${code})`;
  const written = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
    new Promise((resolve) => stream.write(text, () => resolve()));
  await written(process.stdout, "");
  await written(process.stderr, `\nconclave: ${message}${named}\n${remedy}\n`);
  // an open connection to a process that hangs would keep this process alive
  process.exit(1);
}

import { clusterFolder } from "./cluster-folder.ts";
import { makeProgram } from "./program.ts";

// a reader that closes the pipe, as `head` does, is not an error
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const program = makeProgram((code) => {
  process.exitCode = code;
});

let state: string | undefined;
program.hook("preAction", (_program, command) => {
  const { state: folder, name }: Readonly<Record<string, unknown>> = command.opts();
  if (typeof folder === "string") state = folder;
  else if (typeof name === "string") state = clusterFolder(name);
});

const written = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve) => stream.write(text, () => resolve()));

const fail = async (cause: unknown): Promise<void> => {
  const { failureOf } = await import("./failure/failure-of.ts");
  const { text, exitCode } = await failureOf(cause, state);
  await written(process.stdout, "");
  await written(process.stderr, text);
  // an open connection to a process that hangs would keep this process alive
  process.exit(exitCode);
};
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);

try {
  await program.parseAsync();
} catch (cause) {
  await fail(cause);
}

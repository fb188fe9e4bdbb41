import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { repositoryRoot } from "@conclave/testbed/launch";
import { expect, it } from "vitest";

it("ends without a word when the reader of its output closes the pipe", async () => {
  const main = join(repositoryRoot(), "packages", "cli", "dist", "main.js");
  const child = spawn(process.execPath, [main, "status", "--name", "never-started"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  const [words] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(words).toBe("");
});

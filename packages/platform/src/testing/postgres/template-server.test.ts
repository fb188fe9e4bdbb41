import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

it("a process that has a server for tests ends with its own code", () => {
  const script = `import(${JSON.stringify(import.meta.resolve("./template-server.ts"))})
    .then(({ startTemplateServer }) => startTemplateServer())
    .then((server) => server.stop())
    .then(() => { process.exitCode = 3; });`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--conditions=source", "--import", import.meta.resolve("tsx"), "--eval", script],
    { encoding: "utf8" },
  );
  expect([status, stderr]).toEqual([3, ""]);
});

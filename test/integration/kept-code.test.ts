import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { repositoryRoot, serviceSpec } from "@conclave/testbed";
import { afterAll, describe, expect, it } from "vitest";

const SERVICES = ["gateway", "orchestrator", "signer"] as const;

const folder = mkdtempSync(join(tmpdir(), "conclave-kept-code-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Prints whether the launcher's compiled code is used, and exits before the code runs. */
const WATCH = `
  const vm = require("node:vm");
  vm.Script = class extends vm.Script {
    constructor(code, options) {
      super(code, options);
      const isFound = options.cachedData !== undefined;
      require("node:fs").writeSync(1, isFound ? (this.cachedDataRejected ? "refused" : "used") : "none");
      process.exit();
    }
  };
`;

/** Whether a process with these V8 options uses the compiled code. */
const keptCode = (options: readonly string[], main: string): string => {
  const watch = join(folder, "watch.cjs");
  writeFileSync(watch, WATCH);
  return execFileSync(process.execPath, [...options, "--require", watch, main], {
    encoding: "utf8",
    env: {},
  });
};

/** A service's V8 options and main file, as the testbed starts it. */
const started = (service: string, bundle: "bundle" | "bundle-faults" = "bundle") => {
  const { args } = serviceSpec(service, service, join(folder, "log"), {}, bundle);
  return { options: args.slice(0, -1), main: args.at(-1) ?? "" };
};

describe("the compiled code of a bundle", () => {
  it.each(SERVICES)("is used by a process of %s, with the options that the testbed gives it", (service) => {
    for (const bundle of ["bundle", "bundle-faults"] as const) {
      const { options, main } = started(service, bundle);
      expect(keptCode(options, main)).toBe("used");
    }
  });

  it("is used by what else a signer has: its workers, and the check of its health", () => {
    const { options, main } = started("signer");
    expect(keptCode(options, join(dirname(main), "worker.js"))).toBe("used");
    expect(keptCode([], join(dirname(main), "health-check.js"))).toBe("used");
  });

  it("is of the options that a signer's image has", () => {
    const image = readFileSync(join(repositoryRoot(), "deploy/Dockerfile"), "utf8");
    const { options } = started("signer");
    const command = ["node", ...options, "services/signer/dist/bundle/main.js"].map((word) => `"${word}"`);
    expect(image).toContain(`CMD [${command.join(", ")}]`);
  });

  it("is left alone when the code is another of the same length", () => {
    const { options, main } = started("signer");
    const bundle = join(folder, basename(dirname(main)));
    cpSync(dirname(main), bundle, { recursive: true, filter: (path) => !path.endsWith(".map") });
    const worker = join(bundle, "worker.js");
    expect(keptCode(options, worker)).toBe("used");
    const code = readFileSync(join(bundle, "worker.code.js"), "utf8");
    writeFileSync(join(bundle, "worker.code.js"), code.replace('"use strict";', '"use strict" '));
    expect(keptCode(options, worker)).toBe("none");
    copyFileSync(join(dirname(main), "health-check.code.cache"), join(bundle, "worker.code.cache"));
    expect(keptCode(options, worker)).toBe("none");
  });
});

// node [options of V8] KEEP DIST/bundle/NAME.js: keeps what V8 makes of the code of a bundle, for launch.ts. The options have to be
// those of the process that will run it. The code runs once, with no settings: what it has called until it says that they are missing is
// what every start calls, and is kept compiled. The rest is compiled when it is called first, as ever.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import vm from "node:vm";

/** None takes so long to miss its settings. */
const DEADLINE_MS = 10_000;

const main = resolve(process.argv[2] ?? "");
const code = main.replace(/\.js$/, ".code.js");

/** The scripts that the launcher makes: one. */
const scripts: vm.Script[] = [];
Object.assign(vm, {
  Script: class extends vm.Script {
    constructor(source: string, options?: vm.ScriptOptions) {
      super(source, options);
      scripts.push(this);
    }
  },
});

process.on("exit", () => {
  const digest = createHash("sha256").update(readFileSync(code)).digest();
  const kept = scripts.map((script) => script.createCachedData());
  writeFileSync(code.replace(/\.js$/, ".cache"), Buffer.concat([digest, ...kept]));
  process.exitCode = scripts.length === 1 ? 0 : 1;
});
// a worker misses its parent
process.on("uncaughtException", () => process.exit());
setTimeout(() => process.exit(), DEADLINE_MS).unref();
for (const name of Object.keys(process.env)) delete process.env[name];
process.stderr.write = () => true;
process.stdout.write = () => true;
createRequire(main)(main);
